import { useEffect, useRef } from 'react';
import kit from './kit.module.css';
import { useNarrow } from './narrow/narrow.ts';
import { VERBATIM } from './text/exact-text.ts';

type Props = { label: string; value: string; set: (text: string | undefined) => void };

/** Filters a page. The key `/` moves the focus to it. */
export function Search(props: Props) {
  return (
    <div className={kit.row} role="search">
      <SearchField {...props} />
    </div>
  );
}

/** The same, for a row with other filters. */
export function SearchField({ label, value, set }: Props) {
  const field = useRef<HTMLInputElement>(null);
  // A phone has no such key.
  const hint = useNarrow() ? '' : '  /';
  // The address follows the field, a little later. Only if something else clears the filter, the field follows it.
  useEffect(() => {
    if (value === '' && field.current) field.current.value = '';
  }, [value]);
  return (
    <input
      {...VERBATIM}
      ref={field}
      type="search"
      className={`${kit.input} ${kit.search}`}
      aria-label={label}
      placeholder={`${label}${hint}`}
      defaultValue={value}
      onChange={(event) => set(event.target.value || undefined)}
    />
  );
}
