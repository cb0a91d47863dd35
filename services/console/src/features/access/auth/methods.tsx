import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { AuthKindAnswer, FieldAnswer } from '../../../../../api/contract/forms.ts';
import { carryOut } from '../../../api/client.ts';
import type { Call } from '../../../api/curl.ts';
import { rightFor } from '../../../api/right.ts';
import { schemasQuery } from '../../../api/queries.ts';
import kit from '../../../kit/kit.module.css';
import { Loaded } from '../../../kit/page.tsx';
import { useHasRights } from '../../../kit/rights/allowed.ts';
import { GuardedButton } from '../../../kit/rights/guarded-button.tsx';
import { Table } from '../../../kit/table.tsx';
import { describeDuration } from '../../../../../../libs/telling/duration.ts';
import { SchemaDialog } from '../../../schema-form/schema-dialog.tsx';
import type { Edits } from '../../../schema-form/schema-form.tsx';
import { AccessPage } from '../access-page.tsx';
import { methodPath, METHODS, methodsQuery, rolesQuery, type AuthMethod } from './queries.ts';

/** How machines get tokens in this namespace. */
export function AuthMethods() {
  const query = useQuery(methodsQuery);
  const schemas = useQuery(schemasQuery);
  const [isEnabling, setIsEnabling] = useState(false);
  return (
    <AccessPage
      title="Auth methods"
      rights={[METHODS]}
      parts={[rightFor('POST', methodPath('+'))]}
      about="Ways for machines to log in and get a token."
      actions={
        <GuardedButton call={enablingOf({})} kind="primary" onClick={() => setIsEnabling(true)}>
          Enable a method
        </GuardedButton>
      }
    >
      <Loaded query={query}>
        {(methods) => (
          <Table columns={['Path', 'Type', 'Roles', 'Description', 'Default TTL']}>
            {methods.map((method) => (
              <Row key={method.path} method={method} kinds={schemas.data?.auth_methods ?? []} />
            ))}
          </Table>
        )}
      </Loaded>
      {isEnabling && schemas.data ? (
        <Enable
          kinds={schemas.data.auth_methods}
          tuning={schemas.data.auth_tuning}
          close={() => setIsEnabling(false)}
        />
      ) : null}
    </AccessPage>
  );
}

function Row({ method, kinds }: { method: AuthMethod; kinds: AuthKindAnswer[] }) {
  const { path, type, description, config } = method;
  const kind = kinds.find((one) => one.type === type);
  return (
    <tr>
      <td>
        {kind ? (
          <Link to="/access/auth/$" params={{ _splat: path }}>
            {path}/
          </Link>
        ) : (
          `${path}/`
        )}
      </td>
      <td>{kind?.title ?? type}</td>
      <td>{kind ? <RoleCount path={path} /> : null}</td>
      <td>{description}</td>
      <td>
        {config.default_lease_ttl > 0 ? (
          describeDuration(config.default_lease_ttl)
        ) : (
          <span className={kit.muted}>1 hour</span>
        )}
      </td>
    </tr>
  );
}

function RoleCount({ path }: { path: string }) {
  const mayList = useHasRights([{ path: `auth/${path}/role`, capability: 'list' }]);
  const { data } = useQuery({ ...rolesQuery(path), enabled: mayList });
  return data ? data.length.toLocaleString('en') : <span className={kit.muted}>–</span>;
}

function Enable({
  kinds,
  tuning,
  close,
}: {
  kinds: AuthKindAnswer[];
  tuning: FieldAnswer[];
  close: () => void;
}) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const fields: FieldAnswer[] = [
    {
      name: 'type',
      title: 'Type',
      enum: kinds.map(({ type }) => type),
      words: Object.fromEntries(kinds.map(({ type, title }) => [type, title])),
      default: kinds[0]?.type,
    },
    { name: 'path', title: 'Path', description: 'Where machines log in. Empty: the name of the type.' },
    ...tuning,
  ];
  return (
    <SchemaDialog
      title="Enable a method"
      action="Enable"
      fields={fields}
      close={close}
      callOf={(values) => enablingOf({ type: kinds[0]?.type, ...values })}
      carryOut={async (values) => {
        const all = { type: kinds[0]?.type, ...values };
        await carryOut(enablingOf(all));
        await queries.invalidateQueries(methodsQuery);
        await navigate({ to: '/access/auth/$', params: { _splat: pathIn(all) }, ignoreBlocker: true });
      }}
    />
  );
}

function pathIn({ path, type }: Edits): string {
  const typed = typeof path === 'string' ? path.trim().replace(/\/+$/, '') : '';
  return typed || (typeof type === 'string' ? type : '+');
}

function enablingOf(values: Edits): Call {
  const { type, path: _, description, ...config } = values;
  const path = methodPath(pathIn(values));
  const right = rightFor('POST', path);
  const given = Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null));
  return {
    method: 'POST',
    path,
    body: { type, ...(description ? { description } : {}), config: given },
    rights: [right, { path: right.path, capability: 'sudo' }],
  };
}
