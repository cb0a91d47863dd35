import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { SecretMetadataAnswer } from '../../../../api/contract/secrets.ts';
import { keysQuery, metadataQuery, syncedToQuery } from '../../api/queries.ts';
import { Button } from '../../kit/button.tsx';
import kit from '../../kit/kit.module.css';
import { Loaded } from '../../kit/page.tsx';
import { Status } from '../../kit/status.tsx';
import { Time } from '../../kit/time.tsx';
import { ACTIONS, Table } from '../../kit/table.tsx';
import { GuardedButton } from '../../kit/rights/guarded-button.tsx';
import { editOf } from './edit/change.ts';
import { EditSecret } from './edit/edit-secret.tsx';
import { Gone, isGone } from './gone.tsx';
import { KeyRow } from './key-row.tsx';
import { VersionDiff } from './version-diff.tsx';

/** A secret: its keys without values, its versions, and its destinations. */
export function Secret({ mount, path }: { mount: string; path: string }) {
  const [version, setAsked] = useState<number | null>(null);
  const [compared, setCompared] = useState<number | null>(null);
  return (
    <Loaded query={useQuery(metadataQuery(mount, path))}>
      {(metadata) => (
        <>
          {isGone(metadata, version ?? metadata.current_version) ? (
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
          <Versions
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
        </>
      )}
    </Loaded>
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
        <EditSecret
          secret={{ mount, path }}
          keys={query.data ?? []}
          version={current}
          close={() => setEditing(false)}
        />
      ) : null}
    </section>
  );
}

function SyncedTo({ mount, path }: { mount: string; path: string }) {
  return (
    <section className={`${kit.stack} ${kit.tight}`} aria-labelledby="synced-to">
      <h2 id="synced-to">Synced to</h2>
      <Loaded query={useQuery(syncedToQuery(mount, path))}>
        {(destinations) =>
          destinations.length === 0 ? (
            <p className={kit.muted}>Not linked to any destination.</p>
          ) : (
            <ul className={`${kit.card} ${kit.stack} ${kit.tight}`}>
              {destinations.map(({ type, name, sub_key: key, sync_status: status }) => (
                <li key={`${type} ${name} ${key}`} className={kit.row}>
                  <Status status={status} />
                  <Link
                    to="/destinations/$type/$name/secret/$"
                    params={{ type, name, _splat: `${mount}/${path}` }}
                  >
                    {type}/{name}
                  </Link>
                  {key ? <code>{key}</code> : null}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}

function Versions({
  metadata,
  shown,
  show,
  compare,
}: {
  metadata: SecretMetadataAnswer;
  shown: number;
  show: (version: number) => void;
  /** Compares a version with the newest one. */
  compare: (version: number) => void;
}) {
  const versions = Object.entries(metadata.versions).toSorted(
    ([left], [right]) => Number(right) - Number(left),
  );
  return (
    <section className={`${kit.stack} ${kit.tight}`} aria-labelledby="versions">
      <h2 id="versions">Versions</h2>
      <Table columns={['Version', 'Written', 'State', ACTIONS]}>
        {versions.map(([number, version]) => {
          const state = version.destroyed ? 'destroyed' : version.deletion_time ? 'deleted' : 'live';
          return (
            <tr key={number}>
              <td>v{number}</td>
              <td>
                <Time at={version.created_time} />{' '}
                {version.created_by ? `by ${version.created_by.actor}` : ''}
              </td>
              <td>{state}</td>
              <td>
                {state === 'live' && Number(number) !== shown ? (
                  <Button aria-label={`Show keys of version ${number}`} onClick={() => show(Number(number))}>
                    Show keys
                  </Button>
                ) : null}{' '}
                {state === 'live' && Number(number) !== metadata.current_version ? (
                  <Button
                    aria-label={`Compare version ${number} with the newest`}
                    onClick={() => compare(Number(number))}
                  >
                    Compare
                  </Button>
                ) : null}
              </td>
            </tr>
          );
        })}
      </Table>
    </section>
  );
}
