import { useNarrow } from './narrow.ts';
import styles from './short-name.module.css';

// So much of its end is always in sight.
const END = 18;

/**
 * A name in a list. It loses its middle where it does not fit, because names often differ only at their ends: on a phone,
 * where it has lines of its own, if it is longer than `most` characters.
 */
export function ShortName({ name, most }: { name: string; most: number }) {
  const isNarrow = useNarrow();
  if (isNarrow ? name.length <= most : name.length <= 2 * END) return name;
  if (!isNarrow)
    return (
      <span className={styles.name}>
        <span className={styles.start}>{name.slice(0, -END)}</span>
        <span>{name.slice(-END)}</span>
      </span>
    );
  const half = Math.floor((most - 1) / 2);
  return `${name.slice(0, half)}…${name.slice(-half)}`;
}
