import type {
  LookAnswer,
  PlanAnswer,
  PlannedSecretAnswer,
  PlanStepAnswer,
} from '../../../../api/contract/plans.ts';
import { partsOfMessage } from '../../../../../libs/telling/cause-titles.ts';
import { describePlanned } from '../../../../../libs/telling/planned.ts';
import kit from '../../kit/kit.module.css';
import { capitalise, closeSentence } from '../../kit/text/capitalise.ts';
import { Notice } from '../../kit/notice.tsx';
import { MissingRights } from '../../kit/rights/missing-right.tsx';
import { Table } from '../../kit/table.tsx';
import { counted } from '../../kit/text/counted.ts';
import { PathText } from '../../kit/text/path-text.tsx';
import { useLabels } from '../../schema-form/labels.ts';
import { readsOf } from './plan.ts';
import { byOwnWeight, byWeight, planWord } from './weight.ts';

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

// A browser gets slow with thousands of rows.
const MOST_ROWS = 300;

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
          word={planWord(step)}
          secret={step.sub_key ? `${name} ${step.sub_key}` : name}
          name={step.external_name}
          former={step.former_name}
          reason={joinSentences(fallbackOf(secret, step), step.reason === null ? '' : labelled(step.reason))}
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
      <LookNotice look={look} labelled={labelled} />
      {isLinking ? <LinkNotices totals={totals} /> : null}
      {rows.length > 0 ? (
        <Table columns={['Change', 'Secret', 'Name in the store']}>{rows.slice(0, MOST_ROWS)}</Table>
      ) : null}
      <Unlisted entries={rows.length - MOST_ROWS} />
      <MissingRights rights={readsOf(plan.secrets.filter(({ error }) => error !== null))} />
    </>
  );
}

function LookNotice({ look, labelled }: { look: LookAnswer | null; labelled: (text: string) => string }) {
  if (look === null)
    return (
      <Notice tone="limited">
        No worker answered in time, so entries that aren’t managed by Sealift aren’t shown.
      </Notice>
    );
  if (look.unknown === 0) return null;
  return (
    <Notice tone="limited">
      {reasonsOf(look).map(({ cause, entries }) => (
        <p key={`${cause?.code} ${cause?.message}`}>
          Couldn’t check {counted(entries, 'entry', 'entries')}
          {cause ? `: ${closeSentence(labelled(partsOfMessage(cause.message).text))}` : ' in the store.'}
        </p>
      ))}
    </Notice>
  );
}

function Unlisted({ entries }: { entries: number }) {
  if (entries <= 0) return null;
  return (
    <p className={kit.muted}>
      {counted(entries, 'more entry isn’t', 'more entries aren’t')} listed. What fails or may be lost stands
      first.
    </p>
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

function joinSentences(first: string, next: string): string | null {
  return first && next ? `${first} ${capitalise(next)}` : first || next || null;
}

function fallbackOf(
  { is_fallback: isFallback, source_version: version }: PlannedSecretAnswer,
  { action }: PlanStepAnswer,
) {
  if (!isFallback || !WRITING.has(action)) return '';
  return `Writes v${version}, because newer versions are deleted or have expired.`;
}

function totalsOf({ secrets, totals }: PlanAnswer): Record<string, number> {
  const counts: Record<string, number> = { ...totals };
  for (const step of secrets.flatMap(({ planned }) => planned)) {
    const word = planWord(step);
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
