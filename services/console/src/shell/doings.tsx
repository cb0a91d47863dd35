import { useQuery } from '@tanstack/react-query';
import { mountsQuery } from '../api/queries.ts';
import { summaryQuery } from '../api/summary.ts';
import { useDestinationName } from '../api/vendors.ts';
import { PauseDialog } from '../features/pauses/pause-button.tsx';
import { RetryDialog } from '../features/problems/retry-button.tsx';
import { CreateSecret } from '../features/secrets/create/create-secret.tsx';
import type { Found } from './finding.ts';

/** What can be done from any page. Each asks before it does anything. */
export function useDoings(): Found[] {
  const { data: mounts = [] } = useQuery(mountsQuery);
  const { data: summary } = useQuery(summaryQuery);
  const nameOf = useDestinationName();
  const secrets = mounts.map((mount): Found => ({
    id: `create ${mount}`,
    kind: 'Action',
    label: `New secret in ${mount}/`,
    also: 'Create a secret',
    ask: (close) => <CreateSecret mount={mount} folder="" close={close} />,
  }));
  const retries = (summary?.problems ?? []).map((problem): Found => {
    const { store_type: type, store_name: name, cause } = problem;
    const filter = { cause: cause?.code, status: [problem.sync_status] };
    return {
      id: `retry ${type}/${name} ${cause?.code ?? problem.sync_status}`,
      kind: 'Action',
      label: `Retry ${nameOf(type, name)}: ${cause?.code ?? problem.sync_status}`,
      also: `${type}/${name}`,
      ask: (close) => <RetryDialog type={type} name={name} filter={filter} close={close} />,
    };
  });
  const pause: Found = {
    id: 'pause',
    kind: 'Action',
    label: 'Pause syncing',
    ask: (close) => <PauseDialog subject={null} close={close} />,
  };
  return [...secrets, ...(summary?.disabled === false ? [pause] : []), ...retries];
}
