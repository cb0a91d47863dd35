import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SecretMetadataAnswer } from '../../../../../api/contract/secrets.ts';
import { carryOut, pathOf, read } from '../../../api/client.ts';
import type { Call } from '../../../api/curl.ts';
import { ApiFailure } from '../../../api/failure.ts';
import { TypedName } from '../../../kit/confirm.tsx';
import { FormDialog } from '../../../kit/form-dialog.tsx';
import type { SecretName } from '../split-path.ts';
import { ConsequenceList, useConsequences } from './consequences.tsx';
import { afterChange, type VersionAct } from './standing.ts';

const WORDS: Record<VersionAct, { verb: string; about: string }> = {
  delete: {
    verb: 'Delete',
    about: 'Its values can’t be read any more, but they are kept: you can undelete it.',
  },
  undelete: { verb: 'Undelete', about: 'Its values will be readable again.' },
  destroy: {
    verb: 'Destroy',
    about: 'Its values will be deleted immediately and permanently. This can’t be undone.',
  },
};

/** The call that changes one version. */
export function changeOfVersion({ mount, path }: SecretName, version: number, act: VersionAct): Call {
  return {
    method: 'POST',
    path: `${pathOf(mount)}/${act}/${pathOf(path)}`,
    body: { versions: [version] },
  };
}

// The API changes no version of a secret that is gone, and says nothing of it.
async function requirePresent({ mount, path }: SecretName): Promise<void> {
  await read(`${pathOf(mount)}/metadata/${pathOf(path)}`).catch((error: unknown) => {
    if (!(error instanceof ApiFailure) || error.status !== 404) return;
    throw error.withProblems([
      { detail: 'Someone else deleted this secret meanwhile. Nothing was changed.' },
    ]);
  });
}

/** Deletes, undeletes or destroys a version, after it has said what happens at which destination. */
export function ChangeVersion({
  secret,
  metadata,
  version,
  act,
  close,
}: {
  secret: SecretName;
  metadata: SecretMetadataAnswer;
  version: number;
  act: VersionAct;
  close: () => void;
}) {
  const queries = useQueryClient();
  const [typed, setTyped] = useState('');
  const consequences = useConsequences(secret, metadata, afterChange(metadata, version, act));
  const { verb, about } = WORDS[act];
  const isTyped = act === 'destroy' || (act === 'delete' && consequences.isLosing);
  const call = changeOfVersion(secret, version, act);
  return (
    <FormDialog
      title={`${verb} version ${version}`}
      action={`${verb} v${version}`}
      isDangerous={act !== 'undelete'}
      isReady={!consequences.isPending && (!isTyped || typed === secret.path)}
      call={call}
      close={close}
      carryOut={async () => {
        await requirePresent(secret);
        await carryOut(call);
        await queries.invalidateQueries();
      }}
    >
      <p>{about}</p>
      <ConsequenceList of={consequences} />
      {isTyped ? <TypedName name={secret.path} typed={typed} set={setTyped} /> : null}
    </FormDialog>
  );
}
