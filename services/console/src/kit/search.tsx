import kit from './kit.module.css';

/** Filters a page. The key `/` moves the focus to it. */
export function Search({
  label,
  value,
  set,
}: {
  label: string;
  value: string;
  set: (text: string | undefined) => void;
}) {
  return (
    <div className={kit.row} role="search">
      <input
        type="search"
        className={`${kit.input} ${kit.search}`}
        aria-label={label}
        placeholder={`${label}  /`}
        defaultValue={value}
        onChange={(event) => set(event.target.value || undefined)}
      />
    </div>
  );
}
