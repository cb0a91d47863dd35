import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { AuthKindAnswer } from '../../../../../api/contract/forms.ts';
import kit from '../../../kit/kit.module.css';
import { Empty, Loaded } from '../../../kit/page.tsx';
import { GuardedButton } from '../../../kit/rights/guarded-button.tsx';
import { Table } from '../../../kit/table.tsx';
import { rolePath, rolesQuery, type AuthMethod } from './queries.ts';
import { WriteRole } from './write-role.tsx';

/** The roles of an auth method. */
export function Roles({ method, kind }: { method: AuthMethod; kind: AuthKindAnswer }) {
  const navigate = useNavigate();
  const [isMaking, setIsMaking] = useState(false);
  const create = (
    <GuardedButton
      call={{ method: 'POST', path: rolePath(method.path, '+') }}
      kind="primary"
      onClick={() => setIsMaking(true)}
    >
      Create a role
    </GuardedButton>
  );
  return (
    <section className={kit.stack}>
      <div className={`${kit.row} ${kit.spread}`}>
        <h2>Roles</h2>
        {create}
      </div>
      <Loaded query={useQuery(rolesQuery(method.path))}>
        {(names) =>
          names.length === 0 ? (
            <Empty title="No roles yet">
              A role says who may log in, and which policies the tokens have.
            </Empty>
          ) : (
            <Table columns={['Role']}>
              {names.map((name) => (
                <tr key={name}>
                  <td>
                    <Link to="/access/auth/$" params={{ _splat: method.path }} search={{ role: name }}>
                      {name}
                    </Link>
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
      {isMaking ? (
        <WriteRole
          method={method}
          kind={kind}
          close={() => setIsMaking(false)}
          written={(role) =>
            navigate({
              to: '/access/auth/$',
              params: { _splat: method.path },
              search: { role },
              ignoreBlocker: true,
            })
          }
        />
      ) : null}
    </section>
  );
}
