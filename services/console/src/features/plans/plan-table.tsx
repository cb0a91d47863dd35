import type { PlanAnswer } from '../../../../api/contract/plans.ts';
import kit from '../../kit/kit.module.css';
import { Notice } from '../../kit/notice.tsx';
import { MissingRights } from '../../kit/rights/missing-right.tsx';
import { Table } from '../../kit/table.tsx';
import { readsOf } from './plan.ts';

const WORDS: Record<string, string> = {
  create: '+ Create',
  update: '~ Update',
  unchanged: '= Unchanged',
  conflict: 'Conflict: exists, not managed by Sealift',
  overwrite: '! Overwrite: not managed by Sealift',
  adopt: '~ Adopt',
  refused: '✕ Refused',
  delete: '− Delete',
  retain: '= Keep',
  unknown: '? Unknown',
  error: '✕ Can’t be linked',
};

// What a plan does, counted. The first of two forms is for one.
const COUNTS: Record<string, [string, string] | string> = {
  create: 'to create',
  update: 'to update',
  unchanged: 'unchanged',
  conflict: ['conflict', 'conflicts'],
  overwrite: 'to overwrite',
  adopt: 'to adopt',
  refused: 'refused',
  delete: 'to delete',
  retain: 'to keep',
  unknown: 'unknown',
  error: 'can’t be linked',
};

/** What would happen to each secret, and whether the store was asked. */
export function PlanTable({ plan }: { plan: PlanAnswer }) {
  const { look, totals } = plan;
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
          The store gave no answer for {look.unknown} of {look.entries} entries
          {look.cause ? `: ${look.cause.message}` : '.'}
        </Notice>
      ) : null}
      <Table columns={['Change', 'Secret', 'Name in the store']}>
        {plan.secrets.flatMap((secret) => {
          const name = `${secret.mount}/${secret.secret_name}`;
          if (secret.error !== null)
            return [<Row key={name} word="error" secret={name} name="–" reason={secret.error} />];
          return secret.planned.map((step) => (
            <Row
              key={`${name} ${step.sub_key} ${step.external_name}`}
              word={step.action}
              secret={step.sub_key ? `${name} ${step.sub_key}` : name}
              name={step.external_name}
              reason={step.reason}
            />
          ));
        })}
      </Table>
      <MissingRights rights={readsOf(plan.secrets.filter(({ error }) => error !== null))} />
    </>
  );
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
  reason,
}: {
  word: string;
  secret: string;
  name: string;
  reason: string | null;
}) {
  return (
    <tr>
      <td>{WORDS[word] ?? word}</td>
      <td>{secret}</td>
      <td>
        <code>{name}</code>
        {reason ? <p className={kit.muted}>{reason}</p> : null}
      </td>
    </tr>
  );
}
