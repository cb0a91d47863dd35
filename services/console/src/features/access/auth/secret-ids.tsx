import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AuthKindAnswer } from '../../../../../api/contract/forms.ts';
import { carryOut } from '../../../api/client.ts';
import type { Call } from '../../../api/curl.ts';
import { FormDialog } from '../../../kit/form-dialog.tsx';
import kit from '../../../kit/kit.module.css';
import { Empty, Loaded } from '../../../kit/page.tsx';
import { GuardedButton } from '../../../kit/rights/guarded-button.tsx';
import { ACTIONS, Table } from '../../../kit/table.tsx';
import { Time } from '../../../kit/time.tsx';
import { MakeSecretId, NewSecretId, type MadeSecretId } from './make-secret-id.tsx';
import { rolePath, secretIdsQuery, type AuthMethod, type ListedSecretId } from './queries.ts';

const NEVER = '0001-01-01T00:00:00Z';

/** The secret ids of a role, by their accessors: nobody can read the secrets themselves. */
export function SecretIds({
  method,
  kind,
  role,
}: {
  method: AuthMethod;
  kind: AuthKindAnswer;
  role: string;
}) {
  const [isMaking, setIsMaking] = useState(false);
  const [made, setMade] = useState<MadeSecretId | null>(null);
  const path = rolePath(method.path, role);
  return (
    <section className={kit.stack}>
      <div className={`${kit.row} ${kit.spread}`}>
        <h2>Secret IDs</h2>
        <GuardedButton
          call={{ method: 'POST', path: `${path}/secret-id` }}
          kind="primary"
          onClick={() => setIsMaking(true)}
        >
          Create a secret ID
        </GuardedButton>
      </div>
      <Loaded query={useQuery(secretIdsQuery(method.path, role))}>
        {(found) =>
          found.length === 0 ? (
            <Empty title="No secret IDs">A machine logs in with the role ID and one of these.</Empty>
          ) : (
            <Table columns={['Accessor', 'Created', 'Expires', 'Uses left', ACTIONS]}>
              {found.map((one) => (
                <Row key={one.accessor} method={method} role={role} secretId={one} />
              ))}
            </Table>
          )
        }
      </Loaded>
      {isMaking ? (
        <MakeSecretId
          method={method}
          kind={kind}
          role={role}
          show={setMade}
          close={() => setIsMaking(false)}
        />
      ) : null}
      {made ? <NewSecretId made={made} close={() => setMade(null)} /> : null}
    </section>
  );
}

function Row({ method, role, secretId }: { method: AuthMethod; role: string; secretId: ListedSecretId }) {
  const { accessor, creation_time: created, expiration_time: end, secret_id_num_uses: uses } = secretId;
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const removal: Call = {
    method: 'POST',
    path: `${rolePath(method.path, role)}/secret-id-accessor/destroy`,
    body: { secret_id_accessor: accessor },
  };
  return (
    <tr>
      <td className={kit.mono}>{accessor}</td>
      <td>
        <Time at={created} />
      </td>
      <td>{end === NEVER ? <span className={kit.muted}>never</span> : <Time at={end} />}</td>
      <td>{uses === 0 ? <span className={kit.muted}>unlimited</span> : uses}</td>
      <td>
        <GuardedButton
          call={removal}
          kind="danger"
          aria-label={`Destroy ${accessor}`}
          onClick={() => setIsOpen(true)}
        >
          Destroy…
        </GuardedButton>
        {isOpen ? (
          <FormDialog
            title="Destroy a secret ID"
            action="Destroy"
            isDangerous
            close={() => setIsOpen(false)}
            call={removal}
            carryOut={async () => {
              await carryOut(removal);
              await queries.invalidateQueries(secretIdsQuery(method.path, role));
            }}
          >
            <p>
              Nobody can log in with the secret ID <code>{accessor}</code> any more. Tokens that it gave stay
              valid until they expire.
            </p>
          </FormDialog>
        ) : null}
      </td>
    </tr>
  );
}
