import { actorText } from '../../../../../libs/telling/actor.ts';
import { outcomeText } from '../../../../../libs/telling/outcome.ts';
import { spanText, type TimeSpan } from '../../kit/picker/span.ts';
import { KIND_OPTIONS } from '../audit/kinds.ts';

/** Selects lines of an activity. `who`: a part of the name of a person or a token; `kind`: reads of values, or changes. */
export type ActivityFilter = TimeSpan & {
  who?: string | undefined;
  outcome?: string | undefined;
  kind?: string | undefined;
};

/** The query of the API that selects the same lines. */
export function activityQuery(filter: ActivityFilter, more: Record<string, string>): string {
  const query = new URLSearchParams(more);
  for (const [name, value] of Object.entries(filter)) if (value) query.set(name, value);
  return query.toString();
}

/** What a filter selects, such as "from 1 Jan 2026, 10:00:00 UTC by “ana”"; empty: everything. */
export function filterText({ who, outcome, kind, ...span }: ActivityFilter): string {
  return [
    kindText(kind),
    spanText(span),
    who === undefined ? '' : `by “${actorText(who)}”`,
    // No time: what has no end yet will have none.
    outcome === undefined ? '' : `with the outcome “${outcomeText({ outcome, at: new Date(0) })}”`,
  ]
    .filter(Boolean)
    .join(' ');
}

function kindText(kind: string | undefined): string {
  const [, text] = KIND_OPTIONS.find(([one]) => one !== '' && one === kind) ?? [];
  return text === undefined ? '' : `of “${text}”`;
}
