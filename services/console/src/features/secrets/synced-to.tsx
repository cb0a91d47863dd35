import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { syncedToQuery, type SyncedToAnswer } from '../../api/queries.ts';
import { readOf, rightFor } from '../../api/right.ts';
import { useDestinationName } from '../../api/vendors.ts';
import kit from '../../kit/kit.module.css';
import { Loaded } from '../../kit/page.tsx';
import { GuardedButton } from '../../kit/rights/guarded-button.tsx';
import { Status, statusByCause } from '../../kit/status.tsx';
import { askedText } from '../pauses/deeds.ts';
import type { SecretName } from './split-path.ts';
import { SyncDialog } from './sync/sync-dialog.tsx';

const SUMMARY = rightFor('GET', 'sys/sync/summary/destinations');
// Which destination it will be is not known before the dialog.
const LINK = { path: 'sys/sync/destinations/*', capability: 'update' };

/** The destinations of a secret, with a button that adds one. */
export function SyncedTo({ mount, path }: SecretName) {
  const [isOpen, setIsOpen] = useState(false);
  const query = useQuery(syncedToQuery(mount, path));
  const linked = new Set((query.data ?? []).map(({ type, name }) => `${type}/${name}`));
  return (
    <section className={`${kit.stack} ${kit.tight}`} aria-labelledby="synced-to">
      <div className={`${kit.row} ${kit.spread}`}>
        <h2 id="synced-to">Synced to</h2>
        <GuardedButton
          call={{
            method: 'GET',
            path: 'sys/sync/summary/destinations',
            rights: [SUMMARY, LINK, readOf({ mount, path })],
          }}
          onClick={() => setIsOpen(true)}
        >
          Sync this secret to…
        </GuardedButton>
      </div>
      <Loaded query={query}>
        {(destinations) =>
          destinations.length === 0 ? (
            <p className={kit.muted}>Not linked to any destination.</p>
          ) : (
            <SecretStores secret={{ mount, path }} of={destinations} />
          )
        }
      </Loaded>
      {isOpen ? (
        <SyncDialog secrets={[{ mount, path }]} linked={linked} close={() => setIsOpen(false)} />
      ) : null}
    </section>
  );
}

/** The destinations of a secret. Where each key has an entry of its own, the destination stands once, with its keys. */
export function SecretStores({ secret, of }: { secret: SecretName; of: SyncedToAnswer[] }) {
  const nameOf = useDestinationName();
  const stores = [...new Set(of.map(({ type, name }) => `${type}/${name}`))];
  return (
    <ul className={`${kit.card} ${kit.stack} ${kit.tight}`}>
      {stores.map((store) => {
        const entries = of.filter(({ type, name }) => `${type}/${name}` === store);
        const [type = '', name = ''] = store.split('/');
        return (
          <li key={store} className={`${kit.stack} ${kit.tight}`}>
            <div className={kit.row}>
              {entries.length === 1 && entries[0] ? <EntryStatus of={entries[0]} /> : null}
              <Link
                to="/destinations/$type/$name/secret/$"
                params={{ type, name, _splat: `${secret.mount}/${secret.path}` }}
              >
                {nameOf(type, name)}
              </Link>
              {entries.length === 1 && entries[0]?.sub_key ? <code>{entries[0].sub_key}</code> : null}
              <Waits of={entries[0]} />
            </div>
            {entries.length > 1
              ? entries.map((entry) => (
                  <div key={entry.sub_key} className={kit.row}>
                    <EntryStatus of={entry} />
                    <code>{entry.sub_key}</code>
                  </div>
                ))
              : null}
          </li>
        );
      })}
    </ul>
  );
}

function EntryStatus({ of: { sync_status: status, cause, last_failure: last } }: { of: SyncedToAnswer }) {
  return <Status status={statusByCause(status, cause ?? last)} />;
}

// What somebody asked for, where it is not done yet.
function Waits({ of }: { of: SyncedToAnswer | undefined }) {
  const deed = of ? askedText(of) : '';
  return deed ? <span className={`${kit.muted} ${kit.small}`}>{deed}</span> : null;
}
