import { actorText } from '../../../../../libs/telling/actor.ts';
import { Choice } from '../../kit/picker/choice.tsx';
import { FoldedFilters } from '../../kit/picker/folded-filters.tsx';
import { TimePresets, TimeRange } from '../../kit/picker/time-range.tsx';
import { OUTCOME_OPTIONS } from '../audit/event-filters.tsx';
import { KIND_OPTIONS } from '../audit/kinds.ts';
import { WordFilter } from '../audit/word-filter.tsx';
import type { ActivityFilter } from './filter.ts';

type Props = {
  filter: ActivityFilter;
  /** The names in the lines that are shown, which can be chosen. */
  seen: (string | null)[];
  set: (change: ActivityFilter) => void;
  /** Whether reads are in the activity, too. */
  hasReads?: boolean;
};

/** Selects lines of an activity: by time, by who did something, by what it was, and by how it ended. */
export function ActivityFilters({ filter, seen, set, hasReads = false }: Props) {
  return (
    <FoldedFilters count={Object.values(filter).filter(Boolean).length}>
      <TimePresets span={filter} set={set} />
      <WordFilter
        name="who"
        label="Who"
        value={actorText(filter.who ?? '')}
        seen={seen.map((name) => name && actorText(name))}
        set={(who) => set({ who: who || undefined })}
      />
      {hasReads ? (
        <Choice label="What" options={KIND_OPTIONS} value={filter.kind} set={(kind) => set({ kind })} />
      ) : null}
      <Choice
        label="Outcome"
        options={OUTCOME_OPTIONS}
        value={filter.outcome}
        set={(outcome) => set({ outcome })}
      />
      <TimeRange span={filter} set={set} />
    </FoldedFilters>
  );
}
