import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useContext, useState } from 'react';
import type { SecretMetadataAnswer } from '../../../../api/contract/secrets.ts';
import { ApiFailure, isMissing } from '../../api/failure.ts';
import { keysQuery, metadataQuery } from '../../api/queries.ts';
import { readOf } from '../../api/right.ts';
import kit from '../../kit/kit.module.css';
import { Notice } from '../../kit/notice.tsx';
import { Empty, Loaded } from '../../kit/page.tsx';
import { ACTIONS, Table } from '../../kit/table.tsx';
import { useHasRights, useRights } from '../../kit/rights/allowed.ts';
import { Locked } from '../../kit/rights/locked.ts';
import { GuardedButton } from '../../kit/rights/guarded-button.tsx';
import { CreateDialog } from './create/create-dialog.tsx';
import { UnreadVersion } from './create/unread-version.tsx';
import { EditDialog } from './edit/edit-dialog.tsx';
import { useEditCall } from './edit/only-whole.ts';
import { Gone } from './gone.tsx';
import { KeyRow } from './key-row.tsx';
import { DeleteSecret, deletionOf } from './lifecycle/delete-secret.tsx';
import { isGone, liveVersions } from './lifecycle/standing.ts';
import { useOpened } from './lifecycle/use-opened.ts';
import { SecretVersions } from './lifecycle/versions.tsx';
import { SecretSettings } from './limits/secret-settings.tsx';
import type { SecretName } from './split-path.ts';
import { SyncedTo } from './synced-to.tsx';
import { WholeValue } from './whole-value.tsx';

// Loaded when versions are compared.
const VersionDiff = lazy(async () => ({ default: (await import('./version-diff.tsx')).VersionDiff }));

/** A secret: its keys without values, its versions, and its destinations. */
export function Secret({ mount, path }: { mount: string; path: string }) {
  const [chosen, setChosen] = useState<number | null>(null);
  const lock = useContext(Locked);
  const [compared, setCompared] = useState<number | null>(null);
  const query = useQuery(metadataQuery(mount, path));
  // What is typed in a dialog stays, so the page stays too.
  const isAbsent = query.data !== undefined && isMissing(query.error);
  // Unlike the failed query, this does not change while the page asks again, so the dialog and what is typed stay.
  const mayRead = useRights([{ path: `${mount}/metadata/${path}`, capability: 'read' }]);
  return (
    <>
      <Loaded query={query} instead={isAbsent ? <AbsentNotice /> : undefined}>
        {(metadata) => (
          <>
            <Values
              secret={{ mount, path }}
              metadata={metadata}
              chosen={chosen}
              isAbsent={isAbsent}
              lock={lock}
            />
            <SyncedTo mount={mount} path={path} />
            <SecretVersions
              secret={{ mount, path }}
              metadata={metadata}
              shown={chosen ?? metadata.current_version}
              show={setChosen}
              compare={setCompared}
            />
            {compared === null || isGone(metadata, compared) ? null : (
              <Suspense fallback={null}>
                <VersionDiff
                  key={compared}
                  mount={mount}
                  path={path}
                  from={compared}
                  versions={liveVersions(metadata)}
                  close={() => setCompared(null)}
                />
              </Suspense>
            )}
            <SecretSettings secret={{ mount, path }} metadata={metadata} />
            <WholeDeletion secret={{ mount, path }} metadata={metadata} />
          </>
        )}
      </Loaded>
      {mayRead === false ? <UnreadVersion mount={mount} path={path} /> : null}
    </>
  );
}

// The dialogs stay open whatever someone else does to the version meanwhile, because they hold what was typed.
function Values({
  secret,
  metadata,
  chosen,
  isAbsent,
  lock,
}: {
  secret: SecretName;
  metadata: SecretMetadataAnswer;
  /** The version that the user wants to see; null: the newest. */
  chosen: number | null;
  isAbsent: boolean;
  /** What keeps from saving what was typed, which can become a new secret. */
  lock: string;
}) {
  const [open, setOpen] = useState<'none' | 'first' | 'edit'>('none');
  const current = metadata.current_version;
  const version = chosen ?? current;
  const close = (): void => setOpen('none');
  return (
    <>
      {current === 0 ? (
        <NoVersion secret={secret} write={() => setOpen('first')} />
      ) : isGone(metadata, version) ? (
        <Gone secret={secret} metadata={metadata} version={version} write={() => setOpen('first')} />
      ) : (
        <Keys
          secret={secret}
          version={version}
          chosen={chosen}
          isCurrent={version === current}
          isAbsent={isAbsent}
          edit={() => setOpen('edit')}
        />
      )}
      <Locked value={lock}>
        {open === 'first' ? (
          <CreateDialog mount={secret.mount} folder="" named={secret.path} newest={current} close={close} />
        ) : null}
        {open === 'edit' ? (
          <EditDialog secret={secret} metadata={metadata} isAbsent={isAbsent} close={close} />
        ) : null}
      </Locked>
    </>
  );
}

function AbsentNotice() {
  return (
    <Notice tone="limited">
      Someone deleted this secret with all its versions. The page shows what it was before.
    </Notice>
  );
}

function NoVersion({ secret: { mount, path }, write }: { secret: SecretName; write: () => void }) {
  const creation = { path: `${mount}/data/${path}`, capability: 'create' };
  return (
    <Empty
      title="No version yet"
      action={
        <GuardedButton call={{ method: 'POST', path: '', rights: [creation] }} kind="primary" onClick={write}>
          Write the first version
        </GuardedButton>
      }
    >
      Only its metadata is set.
    </Empty>
  );
}

function Keys({
  secret,
  version,
  chosen,
  isCurrent,
  isAbsent,
  edit,
}: {
  secret: SecretName;
  version: number;
  chosen: number | null;
  isCurrent: boolean;
  isAbsent: boolean;
  edit: () => void;
}) {
  const query = useQuery(keysQuery(secret.mount, secret.path, version));
  const mayRead = useHasRights([readOf(secret)]);
  const editing = useEditCall(secret, version);
  const heading = useOpened(chosen);
  const isKeyless = query.error instanceof ApiFailure && query.error.status === 403 && mayRead;
  return (
    <section className={`${kit.stack} ${kit.tight}`} aria-labelledby="keys">
      <div className={`${kit.row} ${kit.spread}`}>
        <h2 id="keys" ref={heading} tabIndex={-1}>
          Keys of v{version}
          {isCurrent ? '' : ' (not current)'}
        </h2>
        {isCurrent && query.data ? (
          <GuardedButton call={editing} onClick={edit}>
            Edit
          </GuardedButton>
        ) : null}
      </div>
      {isKeyless ? (
        <WholeValue key={version} secret={secret} version={version} edit={isCurrent ? edit : undefined} />
      ) : (
        <Loaded query={query} instead={isAbsent ? <></> : undefined}>
          {(keys) => (
            <Table columns={['Key', 'Value', ACTIONS]}>
              {keys.map((one) => (
                <KeyRow key={`${version} ${one.name}`} secret={secret} of={one} version={version} />
              ))}
            </Table>
          )}
        </Loaded>
      )}
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
