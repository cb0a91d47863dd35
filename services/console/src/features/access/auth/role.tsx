import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { AuthKindAnswer, FieldAnswer } from '../../../../../api/contract/forms.ts';
import { carryOut } from '../../../api/client.ts';
import type { Call } from '../../../api/curl.ts';
import { CopyButton } from '../../../kit/copy/copy-button.tsx';
import { FormDialog } from '../../../kit/form-dialog.tsx';
import kit from '../../../kit/kit.module.css';
import { Notice } from '../../../kit/notice.tsx';
import { Loaded } from '../../../kit/page.tsx';
import { GuardedButton } from '../../../kit/rights/guarded-button.tsx';
import { describeDuration } from '../../../../../../libs/telling/duration.ts';
import { textOf, titleOf } from '../../../schema-form/fields.ts';
import { readableOf } from '../../../schema-form/readable.ts';
import { PolicyNames } from '../policy-names.tsx';
import { rolePath, roleQuery, rolesQuery, type AuthMethod } from './queries.ts';
import { SecretIds } from './secret-ids.tsx';
import { AudienceAlone, bindsNobody, WriteRole } from './write-role.tsx';

type Props = { method: AuthMethod; kind: AuthKindAnswer; name: string };

/** One role: what it asks of a log-in, what its tokens are like, and its credentials. */
export function Role({ method, kind, name }: Props) {
  return (
    <>
      <p>
        <Link to="/access/auth/$" params={{ _splat: method.path }}>
          All roles of {method.path}/
        </Link>
      </p>
      <Loaded query={useQuery(roleQuery(method, name))}>
        {(values) => (
          <>
            {bindsNobody(kind, values, []) ? (
              <Notice tone="limited">
                This role binds no subject, audience or claim: everybody whom the issuer signs for can log in
                from its addresses.
              </Notice>
            ) : null}
            <AudienceAlone kind={kind} values={values} />
            <Rules fields={kind.role} values={values} />
            <Actions method={method} kind={kind} name={name} values={values} />
            {kind.secret_id.length > 0 && values['bind_secret_id'] !== false ? (
              <SecretIds method={method} kind={kind} role={name} />
            ) : null}
          </>
        )}
      </Loaded>
    </>
  );
}

function Rules({ fields, values }: { fields: FieldAnswer[]; values: Record<string, unknown> }) {
  return (
    <dl className={`${kit.card} ${kit.facts}`}>
      {fields.map((field) => (
        <div key={field.name} style={{ display: 'contents' }}>
          <dt>{titleOf(field)}</dt>
          <dd>
            <div className={kit.row}>
              <Value field={field} value={values[field.name]} />
              {field.name === 'role_id' ? (
                <CopyButton text={textOf(values['role_id'])}>Copy the role ID</CopyButton>
              ) : null}
            </div>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ field, value }: { field: FieldAnswer; value: unknown }) {
  const text = shown(field, value);
  if (text === '') return <span className={kit.muted}>{field.unset ?? '–'}</span>;
  if (field.name !== 'token_policies' || !Array.isArray(value)) return text;
  return (
    <span>
      <PolicyNames names={value.map(textOf)} />
    </span>
  );
}

// A number 0 is no limit of its own.
function shown(field: FieldAnswer, value: unknown): string {
  if (value === undefined || value === null || value === 0) return '';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number')
    return /ttl$|leeway$/.test(field.name) ? describeDuration(value) || `${value} s` : String(value);
  return readableOf(field, value);
}

function Actions({ method, kind, name, values }: Props & { values: Record<string, unknown> }) {
  const [open, setOpen] = useState<'change' | 'delete' | null>(null);
  const close = (): void => setOpen(null);
  const path = rolePath(method.path, name);
  return (
    <div className={kit.row}>
      <GuardedButton call={{ method: 'POST', path }} onClick={() => setOpen('change')}>
        Change…
      </GuardedButton>
      <GuardedButton call={{ method: 'DELETE', path }} kind="danger" onClick={() => setOpen('delete')}>
        Delete role…
      </GuardedButton>
      {open === 'change' ? (
        <WriteRole
          method={method}
          kind={kind}
          stored={{ name, values }}
          close={close}
          written={() => Promise.resolve()}
        />
      ) : null}
      {open === 'delete' ? <DeleteRole method={method} kind={kind} name={name} close={close} /> : null}
    </div>
  );
}

function DeleteRole({ method, kind, name, close }: Props & { close: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const removal: Call = { method: 'DELETE', path: rolePath(method.path, name) };
  return (
    <FormDialog
      title={`Delete ${name}`}
      action="Delete"
      isDangerous
      close={close}
      call={removal}
      carryOut={async () => {
        await carryOut(removal);
        await navigate({ to: '/access/auth/$', params: { _splat: method.path }, ignoreBlocker: true });
        await queries.invalidateQueries(rolesQuery(method.path));
        queries.removeQueries({ queryKey: roleQuery(method, name).queryKey });
      }}
    >
      <p>
        Nobody can log in with this role any more.
        {kind.secret_id.length > 0 ? ' All its secret IDs are deleted.' : ''} Its tokens stay valid until they
        expire, but cannot be renewed.
      </p>
    </FormDialog>
  );
}
