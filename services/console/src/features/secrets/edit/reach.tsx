import { useQuery } from '@tanstack/react-query';
import { syncedToQuery } from '../../../api/queries.ts';
import { FailureNotice } from '../../../kit/failure-notice.tsx';
import kit from '../../../kit/kit.module.css';
import { Notice } from '../../../kit/notice.tsx';
import type { SecretName } from '../split-path.ts';

/** Which stores a new version of a secret is written to. */
export function Reach({ secret, isRemoving }: { secret: SecretName; isRemoving: boolean }) {
  const { data, error } = useQuery(syncedToQuery(secret.mount, secret.path));
  if (error) return <FailureNotice failure={error} />;
  if (!data) return <p className={kit.muted}>Looking where this secret is linked…</p>;
  const stores = [...new Set(data.map(({ type, name }) => `${type}/${name}`))];
  if (stores.length === 0) return <p className={kit.muted}>It is linked to no store.</p>;
  return (
    <Notice tone="limited">
      <p>
        The new version is written to {stores.length === 1 ? 'this store' : `these ${stores.length} stores`}{' '}
        at once:{' '}
        {stores.map((store, index) => (
          <span key={store}>
            {index > 0 ? ', ' : ''}
            <code>{store}</code>
          </span>
        ))}
        .
      </p>
      {isRemoving ? (
        <p>
          Keys that are deleted here are deleted there too; where each key has an entry of its own, that entry
          is deleted, unless the deletion policy is <code>retain</code>.
        </p>
      ) : null}
    </Notice>
  );
}
