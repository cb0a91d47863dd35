import { useQuery } from '@tanstack/react-query';
import { syncedToQuery } from '../../api/queries.ts';
import { useStoreName } from '../../api/vendors.ts';
import { FailureNotice } from '../../kit/failure-notice.tsx';
import kit from '../../kit/kit.module.css';
import { Notice } from '../../kit/notice.tsx';
import { counted } from '../../kit/text/counted.ts';
import { Dropped } from './limits/dropped.tsx';
import type { SecretName } from './split-path.ts';

type Props = { secret: SecretName; isRemoving: boolean };

/** What a new version of a secret leads to: which old versions end, and which destinations get it. */
export function Reach(props: Props) {
  return (
    <>
      <Dropped secret={props.secret} />
      <Stores {...props} />
    </>
  );
}

/** Which destinations get a new version of a secret. */
export function Stores({ secret, isRemoving }: Props) {
  const nameOf = useStoreName();
  const { data, error } = useQuery(syncedToQuery(secret.mount, secret.path));
  if (error) return <FailureNotice failure={error} />;
  if (!data) return <p className={kit.muted}>Checking where this secret is linked…</p>;
  const stores = [...new Set(data.map(({ type, name }) => `${type}/${name}`))];
  if (stores.length === 0) return <p className={kit.muted}>Not linked to any destination.</p>;
  return (
    <Notice tone="limited">
      <p>
        The new version will be written to {counted(stores.length, 'destination')} at once:{' '}
        {stores.map((store, index) => (
          <span key={store}>
            {index > 0 ? ', ' : ''}
            <strong>{nameOf(store)}</strong>
          </span>
        ))}
        .
      </p>
      {isRemoving ? (
        <p>
          Keys that you delete will be deleted there too. Where each key has its own entry, the entry will be
          deleted unless the deletion policy is <code>retain</code>.
        </p>
      ) : null}
    </Notice>
  );
}
