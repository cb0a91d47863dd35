import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SecretMetadataAnswer } from '../../../../api/contract/secrets.ts';
import { keysQuery, metadataQuery } from '../../api/queries.ts';
import kit from '../../kit/kit.module.css';
import { Empty, Loaded } from '../../kit/page.tsx';
import { ACTIONS, Table } from '../../kit/table.tsx';
import { GuardedButton } from '../../kit/rights/guarded-button.tsx';
import { CreateSecret } from './create/create-secret.tsx';
import { editOf } from './edit/change.ts';
import { EditSecret } from './edit/edit-secret.tsx';
import { Gone } from './gone.tsx';
import { KeyRow } from './key-row.tsx';
import { DeleteSecret, deletionOf } from './lifecycle/delete-secret.tsx';
import { isGone } from './lifecycle/standing.ts';
import { SecretVersions } from './lifecycle/versions.tsx';
import { SecretSettings } from './limits/secret-settings.tsx';
import type { SecretName } from './split-path.ts';
import { SyncedTo } from './synced-to.tsx';
import { VersionDiff } from './version-diff.tsx';

/** A secret: its keys without values, its versions, and its destinations. */
export function Secret({ mount, path }: { mount: string; path: string }) {
  const [version, setAsked] = useState<number | null>(null);
  const [compared, setCompared] = useState<number | null>(null);
  return (
    <Loaded query={useQuery(metadataQuery(mount, path))}>
      {(metadata) => (
        <>
          {metadata.current_version === 0 ? (
            <NoVersion mount={mount} path={path} />
          ) : isGone(metadata, version ?? metadata.current_version) ? (
            <Gone
              secret={{ mount, path }}
              metadata={metadata}
              version={version ?? metadata.current_version}
            />
          ) : (
            <Keys
              mount={mount}
              path={path}
              version={version ?? metadata.current_version}
              current={metadata.current_version}
            />
          )}
          <SyncedTo mount={mount} path={path} />
          <SecretVersions
            secret={{ mount, path }}
            metadata={metadata}
            shown={version ?? metadata.current_version}
            show={setAsked}
            compare={setCompared}
          />
          {compared === null ? null : (
            <VersionDiff
              mount={mount}
              path={path}
              from={compared}
              to={metadata.current_version}
              close={() => setCompared(null)}
            />
          )}
          <SecretSettings secret={{ mount, path }} metadata={metadata} />
          <WholeDeletion secret={{ mount, path }} metadata={metadata} />
        </>
      )}
    </Loaded>
  );
}

function NoVersion({ mount, path }: SecretName) {
  const [isOpen, setIsOpen] = useState(false);
  const creation = { path: `${mount}/data/${path}`, capability: 'create' };
  return (
    <>
      <Empty
        title="No version yet"
        action={
          <GuardedButton
            call={{ method: 'POST', path: '', rights: [creation] }}
            kind="primary"
            onClick={() => setIsOpen(true)}
          >
            Write the first version
          </GuardedButton>
        }
      >
        Only its metadata is set.
      </Empty>
      {isOpen ? <CreateSecret mount={mount} folder="" named={path} close={() => setIsOpen(false)} /> : null}
    </>
  );
}

function Keys({
  mount,
  path,
  version,
  current,
}: {
  mount: string;
  path: string;
  version: number;
  current: number;
}) {
  const [editing, setEditing] = useState(false);
  const query = useQuery(keysQuery(mount, path, version));
  return (
    <section className={`${kit.stack} ${kit.tight}`} aria-labelledby="keys">
      <div className={`${kit.row} ${kit.spread}`}>
        <h2 id="keys">
          Keys of v{version}
          {version === current ? '' : ' (not current)'}
        </h2>
        {version === current && query.data ? (
          <GuardedButton
            call={editOf({ mount, path }, version, { set: new Map(), remove: [] })}
            onClick={() => setEditing(true)}
          >
            Edit
          </GuardedButton>
        ) : null}
      </div>
      <Loaded query={query}>
        {(keys) => (
          <Table columns={['Key', 'Value', ACTIONS]}>
            {keys.map((one) => (
              <KeyRow key={`${version} ${one.name}`} secret={{ mount, path }} of={one} version={version} />
            ))}
          </Table>
        )}
      </Loaded>
      {editing ? (
        <EditSecret secret={{ mount, path }} newest={current} close={() => setEditing(false)} />
      ) : null}
    </section>
  );
}

function WholeDeletion({ secret, metadata }: { secret: SecretName; metadata: SecretMetadataAnswer }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div>
      <GuardedButton kind="danger" call={deletionOf(secret)} onClick={() => setIsOpen(true)}>
        Delete this secret…
      </GuardedButton>
      {isOpen ? <DeleteSecret secret={secret} metadata={metadata} close={() => setIsOpen(false)} /> : null}
    </div>
  );
}
