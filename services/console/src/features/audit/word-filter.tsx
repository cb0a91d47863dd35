import { useState } from 'react';
import type { AuditEventAnswer } from '../../../../api/contract/administration.ts';
import kit from '../../kit/kit.module.css';
import { optionsOf } from '../../kit/picker/options.ts';
import { Picker } from '../../kit/picker/picker.tsx';
import styles from './event-filters.module.css';
import { useFilterOptions } from './filter-options.ts';

/** A filter of the audit trail that is a text. */
export type WordName = 'who' | 'token' | 'secret' | 'destination' | 'namespace' | 'address' | 'action';

/**
 * A field for a filter. The start of an address or of a secret's name is no filter yet: a field counts when a word is
 * chosen, when it is left, or at Enter, and says so until then.
 */
export function WordFilter({
  name,
  label,
  value,
  events,
  set,
}: {
  name: WordName;
  label: string;
  value: string;
  events: AuditEventAnswer[];
  set: (word: string) => void;
}) {
  const [text, setText] = useState(value);
  const found = useFilterOptions(name, text);
  const seen = optionsOf(events.map(({ attributes }) => wordOf(attributes, name)));
  const options = [...found, ...seen.filter((one) => !found.some((other) => other.value === one.value))];
  const commit = (word: string): void => {
    if (word !== value) set(word);
  };
  return (
    <div className={styles.word}>
      <span className={`${kit.small} ${kit.muted}`} aria-hidden>
        {label}
      </span>
      <Picker
        aria-label={label}
        options={options}
        value={text}
        change={setText}
        pick={commit}
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
        onBlur={() => commit(text)}
      />
      <span className={kit.small} role="status">
        {text === value ? '' : 'Press Enter to apply'}
      </span>
    </div>
  );
}

function wordOf(event: AuditEventAnswer['attributes'], name: WordName): string | null {
  if (name === 'token') return event.accessor;
  if (name === 'who') return event.user ?? event.actor;
  if (name !== 'destination') return event[name];
  const [, type, own] = /^sys\/sync\/destinations\/([^/]+)\/([^/]+)/.exec(event.path) ?? [];
  return type !== undefined && own !== undefined ? `${type}/${own}` : null;
}
