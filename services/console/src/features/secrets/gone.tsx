import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SecretMetadataAnswer } from '../../../../api/contract/secrets.ts';
import { carryOut, pathOf } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import kit from '../../kit/kit.module.css';
import { GuardedButton } from '../../kit/rights/guarded-button.tsx';
import { Time } from '../../kit/time.tsx';
import { Reach } from './edit/reach.tsx';
import type { SecretName } from './split-path.ts';

type Version = SecretMetadataAnswer['versions'][string];

/** Whether a version has no keys to show. */
export function isGone(metadata: SecretMetadataAnswer, version: number): boolean {
  const found = metadata.versions[String(version)];
  return found !== undefined && (found.destroyed || isDeleted(found));
}

function isDeleted({ deletion_time: time }: Version): boolean {
  return time !== '' && new Date(time).getTime() <= Date.now();
}

/** Stands for the keys of a version that was deleted, and offers to take the deletion back. */
export function Gone({
  secret,
  metadata,
  version,
}: {
  secret: SecretName;
  metadata: SecretMetadataAnswer;
  version: number;
}) {
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const found = metadata.versions[String(version)];
  const undelete: Call = {
    method: 'POST',
    path: `${pathOf(secret.mount)}/undelete/${pathOf(secret.path)}`,
    body: { versions: [version] },
  };
  if (!found) return null;
  return (
    <section className={`${kit.card} ${kit.stack} ${kit.tight}`} aria-labelledby="gone">
      <h2 id="gone">
        Version {version} was {found.destroyed ? 'destroyed' : 'deleted'}
      </h2>
      {found.destroyed ? (
        <p className={kit.muted}>Its values are gone for good.</p>
      ) : (
        <>
          <p className={kit.muted}>
            Deleted <Time at={found.deletion_time} />. Its values are kept.
          </p>
          <div>
            <GuardedButton call={undelete} onClick={() => setIsOpen(true)}>
              Undelete…
            </GuardedButton>
          </div>
        </>
      )}
      {isOpen ? (
        <FormDialog
          title={`Undelete version ${version}`}
          action="Undelete"
          close={() => setIsOpen(false)}
          call={undelete}
          carryOut={async () => {
            await carryOut(undelete);
            await queries.invalidateQueries();
          }}
        >
          <p>Its values can be read again.</p>
          {version === metadata.current_version ? <Reach secret={secret} isRemoving={false} /> : null}
        </FormDialog>
      ) : null}
    </section>
  );
}
