import { useState } from 'react';
import { actorText } from '../../../../../libs/telling/actor.ts';
import type { SecretMetadataAnswer } from '../../../../api/contract/secrets.ts';
import kit from '../../kit/kit.module.css';
import { GuardedButton } from '../../kit/rights/guarded-button.tsx';
import { Time } from '../../kit/time.tsx';
import { ChangeVersion, changeOfVersion } from './lifecycle/change-version.tsx';
import { StandingNow } from './lifecycle/consequences.tsx';
import type { SecretName } from './split-path.ts';

/** Stands for the keys of a version that was deleted, and offers to take the deletion back. */
export function Gone({
  secret,
  metadata,
  version,
  write,
}: {
  secret: SecretName;
  metadata: SecretMetadataAnswer;
  version: number;
  /** Writes a new version. */
  write: () => void;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const found = metadata.versions[String(version)];
  if (!found) return null;
  return (
    <section className={`${kit.card} ${kit.stack} ${kit.tight}`} aria-labelledby="gone">
      <h2 id="gone">
        Version {version} was {found.destroyed ? 'destroyed' : 'deleted'}
      </h2>
      {found.destroyed ? (
        <p className={kit.muted}>Its values are gone for good.</p>
      ) : (
        <p className={kit.muted}>
          Deleted <Time at={found.deletion_time} />
          {found.deleted_by ? ` by ${actorText(found.deleted_by.actor)}` : ''}. Its values are kept.
        </p>
      )}
      {version === metadata.current_version ? <StandingNow secret={secret} metadata={metadata} /> : null}
      <div className={kit.row}>
        {found.destroyed ? null : (
          <GuardedButton call={changeOfVersion(secret, version, 'undelete')} onClick={() => setIsOpen(true)}>
            Undelete…
          </GuardedButton>
        )}
        {version === metadata.current_version ? (
          <GuardedButton
            call={{ method: 'POST', path: `${secret.mount}/data/${secret.path}` }}
            onClick={write}
          >
            Write a new version…
          </GuardedButton>
        ) : null}
      </div>
      {isOpen ? (
        <ChangeVersion
          secret={secret}
          metadata={metadata}
          version={version}
          act="undelete"
          close={() => setIsOpen(false)}
        />
      ) : null}
    </section>
  );
}
