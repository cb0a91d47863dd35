import { useQuery } from '@tanstack/react-query';
import { destinationPath, mountsQuery } from '../../api/queries.ts';
import type { Right } from '../../api/right.ts';
import { SUMMARY, summaryQuery } from '../../api/summary.ts';
import { useDestinationName } from '../../api/vendors.ts';
import { PauseDialog } from '../../features/pauses/pause-button.tsx';
import { titleOfCause } from '../../../../../libs/telling/cause-titles.ts';
import { RetryDialog } from '../../features/problems/retry-button.tsx';
import { CreateDialog } from '../../features/secrets/create/create-dialog.tsx';
import { useAllowed, useHasRights } from '../../kit/rights/allowed.ts';
import { lookOf } from '../../kit/status.tsx';
import type { Found } from './finding.ts';

type Doing = Found & { right: Right };

/** What the user may do from any page. Each asks before it does anything. */
export function useDoings(): Found[] {
  const { data: mounts = [] } = useQuery(mountsQuery);
  const { data: summary } = useQuery({ ...summaryQuery, enabled: useHasRights([SUMMARY]) });
  const nameOf = useDestinationName();
  const secrets = mounts.map((mount): Doing => ({
    right: { path: `${mount}/data/+`, capability: 'create' },
    id: `create ${mount}`,
    kind: 'Action',
    label: `New secret in ${mount}/`,
    also: 'Create a secret',
    ask: (close) => <CreateDialog mount={mount} folder="" close={close} />,
  }));
  const retries = (summary?.problems ?? []).map((problem): Doing => {
    const { store_type: type, store_name: name, cause } = problem;
    const filter = { cause: cause?.code, status: [problem.sync_status] };
    return {
      right: { path: `${destinationPath(type, name)}/associations/retry`, capability: 'update' },
      id: `retry ${type}/${name} ${cause?.code ?? problem.sync_status}`,
      kind: 'Action',
      label: `Retry ${nameOf(type, name)}: ${cause ? titleOfCause(cause.code) : lookOf(problem.sync_status).word}`,
      also: `${type}/${name} ${cause?.code ?? ''}`,
      ask: (close) => <RetryDialog type={type} name={name} filter={filter} close={close} />,
    };
  });
  const pause: Doing = {
    right: { path: 'sys/sync/pause', capability: 'update' },
    id: 'pause',
    kind: 'Action',
    label: 'Pause syncing',
    ask: (close) => <PauseDialog subject={null} close={close} />,
  };
  return useAllowed([...secrets, ...(summary?.disabled === false ? [pause] : []), ...retries]) ?? [];
}
