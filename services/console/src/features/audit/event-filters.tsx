import { useState } from 'react';
import type { AuditEventAnswer } from '../../../../api/contract/administration.ts';
import kit from '../../kit/kit.module.css';
import { optionsOf, type Option } from '../../kit/picker/options.ts';
import { Picker } from '../../kit/picker/picker.tsx';
import { TimeRange } from '../../kit/picker/time-range.tsx';
import { SearchField } from '../../kit/search.tsx';
import { EVERY_NAMESPACE, namespaceOfFilter, type EventFilter } from './events.ts';
import styles from './event-filters.module.css';
import { useFilterOptions } from './filter-options.ts';

const OUTCOMES = ['attempted', 'succeeded', 'refused', 'failed'];

const FIELDS = [
  ['user', 'Person'],
  ['actor', 'Token name'],
  ['token', 'Token accessor'],
  ['secret', 'Secret, with its mount'],
  ['namespace', 'Namespace'],
  ['address', 'Address'],
  ['action', 'Action'],
] as const;

type Name = (typeof FIELDS)[number][0];

type Props = {
  filter: EventFilter;
  events: AuditEventAnswer[];
  set: (change: EventFilter) => void;
};

const NARROW = '(max-width: 640px)';

/** Selects entries of the audit trail. `events`: those that are shown, whose words can be chosen. */
export function EventFilters({ filter, events, set }: Props) {
  const { path, ...others } = filter;
  // On a narrow screen they would stand before all entries.
  const [isOpen, setIsOpen] = useState(
    () => !matchMedia(NARROW).matches || Object.values(others).some(Boolean),
  );
  return (
    <div className={kit.row} role="search">
      <SearchField label="Path begins with" value={path ?? ''} set={(next) => set({ path: next })} />
      <details
        className={styles.more}
        open={isOpen}
        onToggle={(event) => setIsOpen(event.currentTarget.open)}
      >
        <summary className={styles.summary}>More filters</summary>
        <div className={kit.row}>
          <Others filter={filter} events={events} set={set} />
        </div>
      </details>
    </div>
  );
}

function Others({ filter, events, set }: Props) {
  const values = { ...filter, namespace: namespaceOfFilter(filter) };
  return (
    <>
      {FIELDS.map(([name, label]) => (
        <Word
          key={`${name} ${values[name] ?? ''}`}
          name={name}
          label={label}
          value={values[name] ?? ''}
          events={events}
          set={set}
        />
      ))}
      <TimeRange span={filter} set={set} />
      <div>
        <select
          className={kit.input}
          aria-label="Outcome"
          value={filter.outcome ?? ''}
          onChange={(event) => set({ outcome: event.target.value || undefined })}
        >
          <option value="">Any outcome</option>
          {OUTCOMES.map((outcome) => (
            <option key={outcome}>{outcome}</option>
          ))}
        </select>
      </div>
      <label className={kit.check}>
        <input
          type="checkbox"
          checked={filter.all ?? false}
          onChange={(event) => set({ all: event.target.checked || undefined })}
        />
        <span>Show the console’s own requests</span>
      </label>
    </>
  );
}

// The start of an address or of a secret's name is no filter yet: a field counts when a word is chosen, when it is left, or
// at Enter.
function Word({
  name,
  label,
  value,
  events,
  set,
}: {
  name: Name;
  label: string;
  value: string;
  events: AuditEventAnswer[];
  set: (change: EventFilter) => void;
}) {
  const [text, setText] = useState(value);
  const found = useFilterOptions(name, text);
  const seen = optionsOf(events.map(({ attributes }) => wordOf(attributes, name)));
  const options: Option[] = [
    ...found,
    ...seen.filter((one) => !found.some((other) => other.value === one.value)),
  ];
  const commit = (word: string): void => {
    const none = name === 'namespace' ? EVERY_NAMESPACE : undefined;
    if (word !== value) set({ [name]: word || none });
  };
  return (
    <Picker
      className={kit.search}
      aria-label={label}
      title={label}
      placeholder={label}
      options={options}
      value={text}
      change={setText}
      pick={commit}
      onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
      onBlur={() => commit(text)}
    />
  );
}

function wordOf(event: AuditEventAnswer['attributes'], name: Name): string | null {
  return name === 'token' ? event.accessor : event[name];
}
