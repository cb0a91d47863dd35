import { actorText } from '../../../../../libs/telling/actor.ts';
import type { AuditEventAnswer } from '../../../../api/contract/administration.ts';
import kit from '../../kit/kit.module.css';
import { Choice } from '../../kit/picker/choice.tsx';
import { FoldedFilters } from '../../kit/picker/folded-filters.tsx';
import picking from '../../kit/picker/picker.module.css';
import { TimePresets, TimeRange } from '../../kit/picker/time-range.tsx';
import { SearchField } from '../../kit/search.tsx';
import { EVERY_NAMESPACE, namespaceOfFilter, type EventFilter } from './events.ts';
import { KIND_OPTIONS } from './kinds.ts';
import { WordFilter, type WordName } from './word-filter.tsx';

/** How an entry ended, as a filter. */
export const OUTCOME_OPTIONS = [
  ['', 'Any outcome'],
  ['succeeded', 'Succeeded'],
  ['refused', 'Refused'],
  ['failed', 'Failed'],
  ['attempted', 'End not recorded'],
] as const;

const WORDS: [WordName, string][] = [
  ['secret', 'Secret, with its mount'],
  ['destination', 'Destination'],
  ['token', 'Token accessor'],
  ['namespace', 'Namespace'],
  ['address', 'Address'],
  ['action', 'Action'],
];

type Props = {
  filter: EventFilter;
  events: AuditEventAnswer[];
  set: (change: EventFilter) => void;
};

/** Selects entries of the audit trail. `events`: those that are shown, whose words can be chosen. */
export function EventFilters({ filter, events, set }: Props) {
  return (
    <FoldedFilters count={countOf(filter)}>
      <TimePresets span={filter} set={set} />
      <Word name="who" label="Who" filter={filter} events={events} set={set} />
      <Choice label="What" options={KIND_OPTIONS} value={filter.kind} set={(kind) => set({ kind })} />
      <Choice
        label="Outcome"
        options={OUTCOME_OPTIONS}
        value={filter.outcome}
        set={(outcome) => set({ outcome })}
      />
      <TimeRange span={filter} set={set} />
      {WORDS.map(([name, label]) => (
        <Word key={name} name={name} label={label} filter={filter} events={events} set={set} />
      ))}
      <div className={picking.field}>
        <span className={`${kit.small} ${kit.muted} ${picking.name}`} aria-hidden>
          Path begins with
        </span>
        <SearchField label="Path begins with" value={filter.path ?? ''} set={(path) => set({ path })} />
      </div>
      <label className={kit.check}>
        <input
          type="checkbox"
          checked={filter.all ?? false}
          onChange={(event) => set({ all: event.target.checked || undefined })}
        />
        <span>Also previews, tests and comparisons</span>
      </label>
    </FoldedFilters>
  );
}

// Every namespace is no filter, and that of the page is one.
function countOf(filter: EventFilter): number {
  return Object.values({ ...filter, namespace: namespaceOfFilter(filter) }).filter(Boolean).length;
}

function Word({ name, label, filter, events, set }: Props & { name: WordName; label: string }) {
  // A link to what somebody did has the whole name.
  const who = actorText(filter.who ?? filter.user ?? filter.actor ?? '');
  const values = { ...filter, who, namespace: namespaceOfFilter(filter) };
  return (
    <WordFilter
      name={name}
      label={label}
      value={values[name] ?? ''}
      seen={events.map(({ attributes }) => wordOf(attributes, name))}
      set={(word) => set(changeOf(name, word))}
    />
  );
}

function wordOf(event: AuditEventAnswer['attributes'], name: WordName): string | null {
  if (name === 'token') return event.accessor;
  if (name === 'who') return event.user ?? actorText(event.actor);
  if (name !== 'destination') return event[name];
  const [, type, own] = /^sys\/sync\/destinations\/([^/]+)\/([^/]+)/.exec(event.path) ?? [];
  return type !== undefined && own !== undefined ? `${type}/${own}` : null;
}

function changeOf(name: WordName, word: string): EventFilter {
  if (name === 'who') return { who: word || undefined, user: undefined, actor: undefined };
  return { [name]: word || (name === 'namespace' ? EVERY_NAMESPACE : undefined) };
}
