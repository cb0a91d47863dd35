import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { change } from '../../api/client.ts';
import { destinationPath, mountsQuery } from '../../api/queries.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { FailureNotice } from '../../kit/failure-notice.tsx';
import kit from '../../kit/kit.module.css';
import { Table } from '../../kit/table.tsx';

type Step = { sub_key: string; external_name: string; action: string; reason: string | null };
type Secret = { mount: string; path: string };
type Plan = { source_version: number | null; planned: Step[] };

const WORDS: Record<string, string> = {
  create: '+ create',
  update: '~ update',
  unchanged: '= same',
  conflict: '≠ conflict',
  refused: '✕ refused',
  delete: '− delete',
  retain: '= keep',
};

/** Links a secret, after the plan of what that would write was shown. */
export function LinkSecret({ type, name, close }: { type: string; name: string; close: () => void }) {
  const queries = useQueryClient();
  const mounts = useQuery(mountsQuery);
  const [secret, setSecret] = useState<Secret>({ mount: '', path: '' });
  const [plan, setPlan] = useState<Plan | null>(null);
  const { busy, failure, attempt } = useAttempt();
  const mount = secret.mount || mounts.data?.[0] || '';
  const body = { mount, secret_name: secret.path };
  const show = () =>
    attempt(async () =>
      setPlan(await change<Plan>('POST', `${destinationPath(type, name)}/associations/plan`, body)),
    );
  const link = () =>
    attempt(async () => {
      await change('POST', `${destinationPath(type, name)}/associations/set`, body);
      await queries.invalidateQueries();
      close();
    });

  return (
    <Dialog title={`Link a secret to ${type}/${name}`} close={close}>
      <Target
        mounts={mounts.data ?? []}
        secret={{ ...secret, mount }}
        set={(next) => {
          setSecret(next);
          // It was of another secret.
          setPlan(null);
        }}
      />
      {failure ? <FailureNotice failure={failure} /> : null}
      {plan ? <PlanTable steps={plan.planned} /> : null}
      <div className={kit.row}>
        {plan ? (
          <Button kind="primary" busy={busy} onClick={() => void link()}>
            Link and sync
          </Button>
        ) : (
          <Button kind="primary" busy={busy} disabled={secret.path === ''} onClick={() => void show()}>
            Show the plan
          </Button>
        )}
        <Button onClick={close}>Cancel</Button>
      </div>
    </Dialog>
  );
}

function Target({
  mounts,
  secret,
  set,
}: {
  mounts: string[];
  secret: Secret;
  set: (secret: Secret) => void;
}) {
  return (
    <>
      <label className={kit.field}>
        <span className={kit.label}>Mount</span>
        <select
          className={kit.input}
          value={secret.mount}
          onChange={(event) => set({ ...secret, mount: event.target.value })}
        >
          {mounts.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <label className={kit.field}>
        <span className={kit.label}>Secret</span>
        <input
          className={kit.input}
          value={secret.path}
          placeholder="app/db"
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => set({ ...secret, path: event.target.value })}
        />
      </label>
    </>
  );
}

function PlanTable({ steps }: { steps: Step[] }) {
  return (
    <Table columns={['Plan', 'Name in the store']}>
      {steps.map((step) => (
        <tr key={`${step.sub_key} ${step.external_name}`}>
          <td>{WORDS[step.action] ?? step.action}</td>
          <td>
            <code>{step.external_name}</code>
            {step.reason ? <p className={kit.muted}>{step.reason}</p> : null}
          </td>
        </tr>
      ))}
    </Table>
  );
}
