import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { SecretMetadataAnswer } from '../../../../../api/contract/secrets.ts';
import { carryOut, pathOf } from '../../../api/client.ts';
import type { Call } from '../../../api/curl.ts';
import { ConfirmByName } from '../../../kit/confirm.tsx';
import { forgetUnsaved } from '../../../kit/leaving/unsaved.ts';
import { counted } from '../../../kit/text/counted.ts';
import type { SecretName } from '../split-path.ts';
import { ConsequenceList, useConsequences } from './consequences.tsx';

/** The call that deletes a secret with everything that is kept of it. */
export function deletionOf({ mount, path }: SecretName): Call {
  return { method: 'DELETE', path: `${pathOf(mount)}/metadata/${pathOf(path)}` };
}

/** Deletes a secret with all its versions. */
export function DeleteSecret({
  secret,
  metadata,
  close,
}: {
  secret: SecretName;
  metadata: SecretMetadataAnswer;
  close: () => void;
}) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const consequences = useConsequences(secret, metadata, null);
  const call = deletionOf(secret);
  const folder = secret.path.slice(0, secret.path.lastIndexOf('/') + 1);
  return (
    <ConfirmByName
      title={`Delete ${secret.path}`}
      name={secret.path}
      action="Delete for good"
      isBlocked={consequences.isPending}
      call={call}
      close={close}
      carryOut={async () => {
        await carryOut(call);
        forgetUnsaved();
        await navigate({ to: '/secrets/$', params: { _splat: `${secret.mount}/${folder}` } });
        await queries.invalidateQueries();
      }}
    >
      <p>
        {counted(Object.keys(metadata.versions).length, 'version')} and the metadata will be deleted
        immediately and permanently. To keep them, delete only the newest version.
      </p>
      <ConsequenceList of={consequences} />
    </ConfirmByName>
  );
}
