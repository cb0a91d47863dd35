import kit from '../kit.module.css';
import styles from './picker.module.css';

/** A filter with few values; the empty value filters nothing. */
export function Choice({
  label,
  options,
  value = '',
  set,
}: {
  label: string;
  options: readonly (readonly [value: string, text: string])[];
  value: string | undefined;
  set: (value: string | undefined) => void;
}) {
  return (
    <select
      className={`${kit.input} ${styles.choice}`}
      aria-label={label}
      value={value}
      onChange={(event) => set(event.target.value || undefined)}
    >
      {options.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  );
}
