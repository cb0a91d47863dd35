import type { DestinationSummaryAnswer } from '../../../../../api/contract/summary.ts';
import kit from '../../../kit/kit.module.css';
import { Status, statusByCause, STATUSES } from '../../../kit/status.tsx';

/** The worst status of the links of a destination, and how many have it. */
export function WorstStatus({ of: { by_status: counts, held } }: { of: DestinationSummaryAnswer }) {
  const worst = STATUSES.find((status) => (counts[status] ?? 0) > 0);
  if (!worst) return <span className={kit.muted}>No links</span>;
  return <Status status={statusByCause(worst, held)} count={counts[worst] ?? 0} />;
}
