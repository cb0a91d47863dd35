import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { destinationQuery } from '../../../api/queries.ts';
import { RetryButton } from '../../problems/retry-button.tsx';
import { Notice } from '../../../kit/notice.tsx';
import type { SecretName } from '../../secrets/split-path.ts';

type Props = { type: string; name: string; secret: SecretName; isHeld: boolean };

/** Says what is tried for a secret without a version, and until when its entries stay. `isHeld`: nothing fails, it waits. */
export function Deleting({ type, name, secret, isHeld }: Props) {
  const { data, isPending } = useQuery(destinationQuery(type, name));
  const policy = data?.options.deletion_policy;
  if (isPending || policy === 'retain') return null;
  return (
    <Notice tone="limited">
      The secret has no version to sync: its latest one is deleted or destroyed, or all are. So Sealift
      deletes what is left of it in the store{policy ? '' : ', unless the deletion policy keeps it'}. It stays
      there until {isHeld ? 'that can be done' : 'that no longer fails'}.{' '}
      <Link to="/secrets/$" params={{ _splat: `${secret.mount}/${secret.path}` }}>
        Open the secret
      </Link>
      {isHeld ? null : (
        <RetryButton
          {...{ type, name }}
          filter={{ secrets: [{ mount: secret.mount, secret_name: secret.path }] }}
        >
          Retry
        </RetryButton>
      )}
    </Notice>
  );
}
