import type { PlanAnswer } from '../../../../api/contract/plans.ts';
import kit from '../../kit/kit.module.css';
import { Notice } from '../../kit/notice.tsx';
import { MissingRights } from '../../kit/rights/missing-right.tsx';
import { Table } from '../../kit/table.tsx';
import { readsOf } from './plan.ts';

const WORDS: Record<string, string> = {
  create: '+ create',
  update: '~ update',
  unchanged: '= same',
  conflict: 'Conflict: exists, not managed by Sealift',
  overwrite: '! overwrite what others wrote',
  adopt: '~ adopt',
  refused: '✕ refused',
  delete: '− delete',
  retain: '= keep',
  unknown: '? unknown',
  error: '✕ cannot be linked',
};

/** What would happen to each secret, and whether the store was asked. */
export function PlanTable({ plan }: { plan: PlanAnswer }) {
  const { look, totals } = plan;
  return (
    <>
      <p>
        {Object.entries(totals)
          .map(([action, count]) => `${WORDS[action] ?? action} ${count}`)
          .join(' · ')}
      </p>
      {look === null ? (
        <Notice tone="limited">
          No worker runs that could ask the store, so entries of others are not shown.
        </Notice>
      ) : null}
      {look && look.unknown > 0 ? (
        <Notice tone="limited">
          The store did not tell about {look.unknown} of {look.entries} entries
          {look.cause ? `: ${look.cause.message}` : '.'}
        </Notice>
      ) : null}
      <Table columns={['Plan', 'Secret', 'Name in the store']}>
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
