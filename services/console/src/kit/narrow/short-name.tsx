import { useNarrow } from './narrow.ts';

/**
 * A name in a list. On a phone it loses its middle where it is longer than `most` characters, because names often differ only
 * at their ends.
 */
export function ShortName({ name, most }: { name: string; most: number }) {
  const isNarrow = useNarrow();
  if (!isNarrow || name.length <= most) return name;
  const half = Math.floor((most - 1) / 2);
  return `${name.slice(0, half)}…${name.slice(-half)}`;
}
