import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { AuthUsageAnswer } from '../../../../../api/contract/mounts.ts';
import type { FieldAnswer } from '../../../../../api/contract/forms.ts';
import { carryOut } from '../../../api/client.ts';
import type { Call } from '../../../api/curl.ts';
import { rightFor } from '../../../api/right.ts';
import { ConfirmByName } from '../../../kit/confirm.tsx';
import { Loaded } from '../../../kit/page.tsx';
import { GuardedButton } from '../../../kit/rights/guarded-button.tsx';
import { counted } from '../../../kit/text/counted.ts';
import { absent } from '../../../schema-form/meanwhile/begun.tsx';
import { ChangeDialog } from '../../../schema-form/meanwhile/change-dialog.tsx';
import type { Edits } from '../../../schema-form/schema-form.tsx';
import { authUsageQuery, methodPath, methodsQuery, type AuthMethod } from './queries.ts';

/** What can be done with a whole auth method. */
export function MethodActions({ method, tuning }: { method: AuthMethod; tuning: FieldAnswer[] }) {
  const [open, setOpen] = useState<'tune' | 'disable' | null>(null);
  const close = (): void => setOpen(null);
  return (
    <>
      <GuardedButton
        call={{ method: 'POST', path: `${methodPath(method.path)}/tune` }}
        onClick={() => setOpen('tune')}
      >
        Tune…
      </GuardedButton>
      <GuardedButton call={disablingOf(method)} kind="danger" onClick={() => setOpen('disable')}>
        Disable…
      </GuardedButton>
      {open === 'tune' ? <Tune method={method} fields={tuning} close={close} /> : null}
      {open === 'disable' ? <Disable method={method} close={close} /> : null}
    </>
  );
}

function Tune({ method, fields, close }: { method: AuthMethod; fields: FieldAnswer[]; close: () => void }) {
  const queries = useQueryClient();
  const callOf = (body: object): Call => ({
    method: 'POST',
    path: `${methodPath(method.path)}/tune`,
    body: Object.fromEntries(Object.entries(body).map(([name, value]) => [name, value ?? unset(name)])),
  });
  return (
    <ChangeDialog
      title={`Tune ${method.path}/`}
      action="Save"
      fields={fields}
      values={tunedValues(method)}
      reread={async () => {
        const methods = await queries.fetchQuery({ ...methodsQuery, staleTime: 0 });
        const present = methods.find(({ path }) => path === method.path);
        if (!present) throw absent();
        return { values: tunedValues(present) };
      }}
      close={close}
      callOf={callOf}
      carryOut={async (edits) => {
        await carryOut(callOf(edits));
        await queries.invalidateQueries(methodsQuery);
      }}
    />
  );
}

function tunedValues({ description, config }: AuthMethod): Edits {
  return {
    description,
    default_lease_ttl: config.default_lease_ttl || undefined,
    max_lease_ttl: config.max_lease_ttl || undefined,
  };
}

// What an emptied field sends: the default counts again.
function unset(name: string): string | number {
  return name === 'description' ? '' : 0;
}

function disablingOf({ path }: AuthMethod): Call {
  const removal = { method: 'DELETE' as const, path: methodPath(path) };
  const right = rightFor('DELETE', removal.path);
  return { ...removal, rights: [right, { path: right.path, capability: 'sudo' }] };
}

function Disable({ method, close }: { method: AuthMethod; close: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const usage = useQuery(authUsageQuery(method.path));
  const removal = disablingOf(method);
  return (
    <ConfirmByName
      title={`Disable ${method.path}/`}
      name={method.path}
      action="Disable"
      isBlocked={usage.isPending}
      close={close}
      call={removal}
      carryOut={async () => {
        await carryOut(removal);
        await navigate({ to: '/access/auth-methods', ignoreBlocker: true });
        await queries.invalidateQueries();
      }}
    >
      <Loaded query={usage}>{(found) => <Usage of={found} />}</Loaded>
    </ConfirmByName>
  );
}

function Usage({
  of: { roles, secret_ids: secretIds, tokens, is_complete: isComplete },
}: {
  of: AuthUsageAnswer;
}) {
  const parts = [counted(roles, 'role'), ...(secretIds > 0 ? [counted(secretIds, 'secret ID')] : [])].join(
    ' with ',
  );
  return (
    <>
      <p>
        {isComplete ? '' : 'At least '}
        {parts} will be deleted, permanently.
      </p>
      <p>
        {tokens === 0
          ? 'No token of its log-ins is valid now.'
          : `${isComplete ? '' : 'At least '}${counted(tokens, 'token')} of its log-ins will be revoked immediately: what uses ${tokens === 1 ? 'it' : 'them'} loses access.`}
      </p>
    </>
  );
}
