import type { ReactElement } from 'react';
import type {
  LookAnswer,
  PlanAnswer,
  PlannedSecretAnswer,
  PlanStepAnswer,
} from '../../../../api/contract/plans.ts';
import { partsOfMessage } from '../../../../../libs/telling/cause-titles.ts';
import { describePlanned } from '../../../../../libs/telling/planned.ts';
import kit from '../../kit/kit.module.css';
import { closeSentence } from '../../kit/text/capitalise.ts';
import { Notice } from '../../kit/notice.tsx';
import { MissingRights } from '../../kit/rights/missing-right.tsx';
import { Table } from '../../kit/table.tsx';
import { counted } from '../../kit/text/counted.ts';
import { PathText } from '../../kit/text/path-text.tsx';
import { useLabels } from '../../schema-form/labels.ts';
import { readsOf } from './plan.ts';

const WORDS: Record<string, string> = {
  create: '+ Create',
  rename: '→ Rename',
  update: '~ Update',
  unchanged: '= Unchanged',
  unchecked: '? Not checked',
  conflict: '✕ Conflict',
  taken: '✕ Name in use',
  overwrite: '! Overwrite',
  adopt: '~ Adopt',
  refused: '✕ Will fail',
  failing: '✕ Fails already',
  left_out: '✕ Left out',
  unnamed: '✕ No valid name',
  delete: '− Delete',
  retain: '= Keep',
  unknown: '? Unknown',
  error: '✕ Not possible',
  unlinkable: '✕ Can’t be linked',
};

/** What would happen to each secret, and whether the store was asked; `isLinking`: the secrets are not linked yet. */
export function PlanTable({ plan, isLinking = false }: { plan: PlanAnswer; isLinking?: boolean }) {
  const { look } = plan;
  const totals = totalsOf(plan);
  const labelled = useLabels(plan.store_type);
  const rows = plan.secrets.toSorted(byWeight).flatMap((secret) => {
    const name = `${secret.mount}/${secret.secret_name}`;
    if (secret.error !== null)
      return [
        <Row
          key={name}
          word={isLinking ? 'unlinkable' : 'error'}
          secret={name}
          name="–"
          reason={labelled(secret.error)}
        />,
      ];
    return secret.planned
      .toSorted(byOwnWeight)
      .map((step) => (
        <Row
          key={`${name} ${step.sub_key} ${step.external_name}`}
          word={wordOf(step)}
          secret={step.sub_key ? `${name} ${step.sub_key}` : name}
          name={step.external_name}
          former={step.former_name}
          reason={
            [fallbackOf(secret, step), step.reason && labelled(step.reason)].filter(Boolean).join(' ') || null
          }
        />
      ));
  });
  return (
    <>
      {rows.length > 0 ? (
        <p>
          {Object.entries(totals)
            .map(([action, count]) => describePlanned(action, count))
            .join(', ')}
        </p>
      ) : null}
      {look === null ? (
        <Notice tone="limited">
          No worker answered in time, so entries that aren’t managed by Sealift aren’t shown.
        </Notice>
      ) : null}
      {look && look.unknown > 0 ? (
        <Notice tone="limited">
          {reasonsOf(look).map(({ cause, entries }) => (
            <p key={`${cause?.code} ${cause?.message}`}>
              Couldn’t check {counted(entries, 'entry', 'entries')}
              {cause ? `: ${closeSentence(labelled(partsOfMessage(cause.message).text))}` : ' in the store.'}
            </p>
          ))}
        </Notice>
      ) : null}
      {isLinking ? <LinkNotices totals={totals} /> : null}
      <Listed rows={rows} />
      <MissingRights rights={readsOf(plan.secrets.filter(({ error }) => error !== null))} />
    </>
  );
}

function Listed({ rows }: { rows: ReactElement[] }) {
  const more = rows.length - MOST_ROWS;
  if (rows.length === 0) return null;
  return (
    <>
      <Table columns={['Change', 'Secret', 'Name in the store']}>{rows.slice(0, MOST_ROWS)}</Table>
      {more > 0 ? (
        <p className={kit.muted}>
          {counted(more, 'more entry isn’t', 'more entries aren’t')} listed. What fails or may be lost stands
          first.
        </p>
      ) : null}
    </>
  );
}

// A worker of the release before gives one reason alone.
function reasonsOf({ unknown, cause, causes }: LookAnswer): LookAnswer['causes'] {
  return causes.length > 0 ? causes : [{ cause, entries: unknown }];
}

// What becomes of links whose entries a plan treats in these ways.
const LINK_NOTICES = {
  unnamed: 'A secret without a valid name in the store can’t be linked.',
  refused: 'What will fail is linked all the same, and stands in Problems until its value fits.',
  taken:
    'A secret whose name in the store is in use by another link can’t be linked. Change the name template, or leave the secret out.',
  conflict:
    'A link with a conflict is made, but fails and stands in Problems until you decide about its entry.',
};

function LinkNotices({ totals }: { totals: Record<string, number> }) {
  return Object.entries(LINK_NOTICES).map(([action, text]) =>
    totals[action] ? (
      <Notice key={action} tone="limited">
        {text}
      </Notice>
    ) : null,
  );
}

const WRITING = new Set(['create', 'update', 'overwrite', 'adopt', 'rename']);

function fallbackOf(
  { is_fallback: isFallback, source_version: version }: PlannedSecretAnswer,
  { action }: PlanStepAnswer,
) {
  if (!isFallback || !WRITING.has(action)) return '';
  return `Writes v${version}, because newer versions are deleted or have expired.`;
}

// What cannot be done and what harms stands first; a page shows few rows of a long plan.
const FIRST = [
  'error',
  'unnamed',
  'taken',
  'left_out',
  'refused',
  'failing',
  'conflict',
  'overwrite',
  'delete',
  'unknown',
  'adopt',
  'rename',
  'create',
  'update',
  'retain',
];
// A browser gets slow with thousands of rows.
const MOST_ROWS = 300;

function byWeight(left: PlannedSecretAnswer, right: PlannedSecretAnswer): number {
  return placeOf(left) - placeOf(right);
}

function placeOf({ error, planned }: PlannedSecretAnswer): number {
  if (error !== null) return 0;
  return planned.reduce((least, step) => Math.min(least, weightOf(step)), FIRST.length);
}

function byOwnWeight(left: PlanStepAnswer, right: PlanStepAnswer): number {
  return weightOf(left) - weightOf(right);
}

function weightOf(step: PlanStepAnswer): number {
  const place = FIRST.indexOf(wordOf(step));
  return place === -1 ? FIRST.length : place;
}

// Where the template makes no valid name, there is none.
function wordOf({
  action,
  external_name: name,
  fails_already: fails,
  unchecked: isUnchecked,
}: PlanStepAnswer): string {
  if (isUnchecked) return 'unchecked';
  if (action !== 'refused') return action;
  return name === '' ? 'unnamed' : fails ? 'failing' : action;
}

function totalsOf({ secrets, totals }: PlanAnswer): Record<string, number> {
  const counts: Record<string, number> = { ...totals };
  for (const step of secrets.flatMap(({ planned }) => planned)) {
    const word = wordOf(step);
    if (word === step.action) continue;
    counts[step.action] = (counts[step.action] ?? 0) - 1;
    counts[word] = (counts[word] ?? 0) + 1;
  }
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

function Row({
  word,
  secret,
  name,
  former,
  reason,
}: {
  word: string;
  secret: string;
  name: string;
  /** The name that it has until then. */
  former?: string | undefined;
  reason: string | null;
}) {
  return (
    <tr>
      <td>{WORDS[word] ?? word}</td>
      <td>
        <PathText path={secret} />
      </td>
      <td>
        <code>
          <PathText path={name} />
        </code>
        {former === undefined ? null : (
          <p className={kit.muted}>
            instead of{' '}
            <code>
              <PathText path={former} />
            </code>
          </p>
        )}
        {reason ? <p className={kit.muted}>{reason.charAt(0).toUpperCase() + reason.slice(1)}</p> : null}
      </td>
    </tr>
  );
}
