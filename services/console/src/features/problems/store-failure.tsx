import { useQuery } from '@tanstack/react-query';
import type { RecordAnswer } from '../../../../api/contract/associations.ts';
import type { IncidentAnswer, IncidentsAnswer } from '../../../../api/contract/summary.ts';
import { partsOfMessage } from '../../../../../libs/telling/cause-titles.ts';
import { destinationPath } from '../../api/queries.ts';
import { BUSY_MS, mayAskAgain } from '../../api/polling.ts';
import { readAllowed } from '../../api/rights.ts';
import kit from '../../kit/kit.module.css';
import { Lasting } from '../../kit/time.tsx';
import { CauseText } from './cause-text.tsx';
import { CauseTitle } from './cause-title.tsx';

const QUEUED = new Set(['PENDING', 'UNSYNCING']);

/**
 * The open incident of the other links of a destination, for a link that has not failed and waits for its turn; undefined
 * if the store fails none, or the link does not wait.
 */
export function useStoreFailure(
  { type, name }: { type: string; name: string },
  record: RecordAnswer | undefined,
): IncidentAnswer | undefined {
  const path = `${destinationPath(type, name)}/incidents`;
  const isQueued =
    record !== undefined &&
    QUEUED.has(record.sync_status) &&
    !record.running &&
    record.cause === null &&
    record.last_failure === undefined &&
    record.next_attempt_at === null;
  const { data } = useQuery({
    queryKey: ['store-failure', type, name],
    queryFn: ({ signal }) => readAllowed<IncidentsAnswer>(`${path}?open=true`, { background: true, signal }),
    enabled: isQueued,
    refetchInterval: ({ state }) => mayAskAgain(state) && BUSY_MS,
  });
  if (!isQueued) return undefined;
  return data?.incidents.find(({ cause }) => cause.class === 'EXTERNAL_SERVICE_ERROR');
}

/** Says why the store fails other links, and that this one waits for its turn. */
export function StoreFailure({ type, incident }: { type: string; incident: IncidentAnswer | undefined }) {
  if (!incident) return null;
  const { cause, opened_at: since } = incident;
  return (
    <div>
      <CauseTitle code={cause.code} />
      <CauseText type={type} cause={{ ...cause, message: partsOfMessage(cause.message).text }} />
      <p className={kit.muted}>
        Other links of this destination have failed for <Lasting since={since} />. While a store fails,
        Sealift tries it with one link at a time, about every half minute. This link waits for its turn.
      </p>
    </div>
  );
}
