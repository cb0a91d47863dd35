import type { PlanAnswer, PlanStepAnswer } from '../../../../api/contract/plans.ts';
import kit from '../../kit/kit.module.css';
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
  conflict: 'Conflict: exists, not managed by Sealift',
  taken: '✕ Name in use',
  overwrite: '! Overwrite',
  adopt: '~ Adopt',
  refused: '✕ Will fail',
  unnamed: '✕ No valid name',
  delete: '− Delete',
  retain: '= Keep',
  unknown: '? Unknown',
  error: '✕ Can’t be linked',
};

// What a plan does, counted. The first of two forms is for one.
const COUNTS: Record<string, [string, string] | string> = {
  create: 'to create',
  rename: 'to rename',
  update: 'to update',
  unchanged: 'unchanged',
  conflict: ['conflict', 'conflicts'],
  taken: 'with a name in use',
  overwrite: 'to overwrite',
  adopt: 'to adopt',
  refused: 'will fail',
  unnamed: 'without a valid name',
  delete: 'to delete',
  retain: 'to keep',
  unknown: 'unknown',
  error: 'can’t be linked',
};

/** What would happen to each secret, and whether the store was asked; `isLinking`: the secrets are not linked yet. */
export function PlanTable({ plan, isLinking = false }: { plan: PlanAnswer; isLinking?: boolean }) {
  const { look } = plan;
  const totals = totalsOf(plan);
  const labelled = useLabels(plan.store_type);
  return (
    <>
      <p>
        {Object.entries(totals)
          .map(([action, count]) => describe(action, count))
          .join(', ')}
      </p>
      {look === null ? (
        <Notice tone="limited">
          No worker is running to ask the store, so entries that aren’t managed by Sealift aren’t shown.
        </Notice>
      ) : null}
      {look && look.unknown > 0 ? (
        <Notice tone="limited">
          Couldn’t check {counted(look.unknown, 'entry', 'entries')}
          {look.cause ? `: ${labelled(look.cause.message)}` : ' in the store.'}
        </Notice>
      ) : null}
      {isLinking && totals['unnamed'] ? (
        <Notice tone="limited">A secret without a valid name in the store can’t be linked.</Notice>
      ) : null}
      {isLinking && totals['refused'] ? (
        <Notice tone="limited">
          What will fail is linked all the same, and stands in Problems until its value fits.
        </Notice>
      ) : null}
      {isLinking && totals['taken'] ? (
        <Notice tone="limited">
          A secret whose name in the store is in use by another link can’t be linked. Change the name
          template, or leave the secret out.
        </Notice>
      ) : null}
      {isLinking && totals['conflict'] ? (
        <Notice tone="limited">
          A link with a conflict is made, but fails and stands in Problems until you decide about its entry.
        </Notice>
      ) : null}
      <Table columns={['Change', 'Secret', 'Name in the store']}>
        {plan.secrets.flatMap((secret) => {
          const name = `${secret.mount}/${secret.secret_name}`;
          if (secret.error !== null)
            return [<Row key={name} word="error" secret={name} name="–" reason={labelled(secret.error)} />];
          return secret.planned.map((step) => (
            <Row
              key={`${name} ${step.sub_key} ${step.external_name}`}
              word={wordOf(step)}
              secret={step.sub_key ? `${name} ${step.sub_key}` : name}
              name={step.external_name}
              former={step.former_name}
              reason={step.reason && labelled(step.reason)}
            />
          ));
        })}
      </Table>
      <MissingRights rights={readsOf(plan.secrets.filter(({ error }) => error !== null))} />
    </>
  );
}

// Where the template makes no valid name, there is none.
function wordOf({ action, external_name: name }: PlanStepAnswer): string {
  return action === 'refused' && name === '' ? 'unnamed' : action;
}

function totalsOf({ secrets, totals }: PlanAnswer): Record<string, number> {
  const unnamed = secrets
    .flatMap(({ planned }) => planned)
    .filter((step) => wordOf(step) === 'unnamed').length;
  const { refused = 0, ...rest } = totals;
  const failing = refused - unnamed;
  return { ...rest, ...(failing > 0 ? { refused: failing } : {}), ...(unnamed > 0 ? { unnamed } : {}) };
}

function describe(action: string, count: number): string {
  const words = COUNTS[action] ?? action;
  const word = typeof words === 'string' ? words : words[count === 1 ? 0 : 1];
  return `${count.toLocaleString('en')} ${word}`;
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
