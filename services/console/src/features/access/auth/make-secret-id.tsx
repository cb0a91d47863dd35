import { useQueryClient } from '@tanstack/react-query';
import type { AuthKindAnswer } from '../../../../../api/contract/forms.ts';
import { carryOut } from '../../../api/client.ts';
import type { Call } from '../../../api/curl.ts';
import { OnceDialog } from '../../../kit/copy/once-dialog.tsx';
import kit from '../../../kit/kit.module.css';
import { withToken } from '../../../kit/rights/with-token.tsx';
import { SchemaDialog } from '../../../schema-form/schema-dialog.tsx';
import type { Edits } from '../../../schema-form/schema-form.tsx';
import { rolePath, secretIdsQuery, type AuthMethod } from './queries.ts';

export type MadeSecretId = { secret_id: string; secret_id_accessor: string };

/** Makes a secret id. `show` gets what can be shown only this once. */
export function MakeSecretId({
  method,
  kind,
  role,
  show,
  close,
}: {
  method: AuthMethod;
  kind: AuthKindAnswer;
  role: string;
  show: (made: MadeSecretId) => void;
  close: () => void;
}) {
  const queries = useQueryClient();
  const callOf = (edits: Edits): Call => ({
    method: 'POST',
    path: `${rolePath(method.path, role)}/secret-id`,
    body: Object.fromEntries(Object.entries(edits).filter(([, value]) => value !== null)),
  });
  return (
    <SchemaDialog
      title={`Create a secret ID of ${role}`}
      action="Create secret ID"
      needsToken
      fields={kind.secret_id}
      close={close}
      callOf={callOf}
      carryOut={async (edits, token) => {
        show(await withToken<MadeSecretId>(callOf(edits), token, carryOut));
        await queries.invalidateQueries(secretIdsQuery(method.path, role));
      }}
    />
  );
}

/** Shows a new secret id, only this once: nobody can ask for it again. */
export function NewSecretId({ made, close }: { made: MadeSecretId; close: () => void }) {
  return (
    <OnceDialog noun="secret ID" secret={made.secret_id} close={close}>
      <p className={kit.muted}>
        Accessor (to destroy it): <code>{made.secret_id_accessor}</code>
      </p>
    </OnceDialog>
  );
}
