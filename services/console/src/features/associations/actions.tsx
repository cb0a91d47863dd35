import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { carryOut } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { destinationPath } from '../../api/queries.ts';
import { readOf, rightFor } from '../../api/right.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { ConfirmByName } from '../../kit/confirm.tsx';
import { FailureNotice } from '../../kit/failure-notice.tsx';
import kit from '../../kit/kit.module.css';
import { Action } from '../../kit/rights/action.tsx';
import { GuardedButton } from '../../kit/rights/guarded-button.tsx';
import type { SecretName } from '../secrets/split-path.ts';
import { VerifyButton } from './verify.tsx';

type Linked = { type: string; name: string; secret: SecretName };

/** What can be done about one secret at one destination. */
export function Actions({ type, name, secret }: Linked) {
  const queries = useQueryClient();
  const [unlinking, setUnlinking] = useState(false);
  const { busy, failure, attempt } = useAttempt();
  const path = `${destinationPath(type, name)}/associations`;
  const body = { mount: secret.mount, secret_name: secret.path };
  const set: Call = {
    method: 'POST',
    path: `${path}/set`,
    body,
    // Syncing passes the secret on.
    rights: [rightFor('POST', `${path}/set`), readOf(secret)],
  };
  const remove: Call = { method: 'POST', path: `${path}/remove`, body };
  const sync = (): void =>
    void attempt(async () => {
      await carryOut(set);
      await queries.invalidateQueries();
    });

  return (
    <>
      <div className={kit.row}>
        <Action
          call={set}
          shortcut={{ key: 's', label: 'Sync now' }}
          kind="primary"
          busy={busy}
          onClick={sync}
        >
          Sync now
        </Action>
        <VerifyButton call={{ method: 'POST', path: `${path}/verify`, body }} />
        <GuardedButton call={remove} kind="danger" onClick={() => setUnlinking(true)}>
          Unlink…
        </GuardedButton>
      </div>
      {failure ? <FailureNotice failure={failure} /> : null}
      {unlinking ? (
        <Unlink type={type} name={name} secret={secret} call={remove} close={() => setUnlinking(false)} />
      ) : null}
    </>
  );
}

function Unlink({ type, name, secret, call, close }: Linked & { call: Call; close: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return (
    <ConfirmByName
      title={`Unlink ${secret.path}`}
      name={secret.path}
      action="Unlink and delete in the store"
      close={close}
      call={call}
      carryOut={async () => {
        await carryOut(call);
        await queries.invalidateQueries();
        await navigate({ to: '/destinations/$type/$name', params: { type, name }, search: {} });
      }}
    >
      <p>
        What was written to {type}/{name} is deleted there, unless its deletion policy is <code>retain</code>.
        The secret itself stays.
      </p>
    </ConfirmByName>
  );
}
