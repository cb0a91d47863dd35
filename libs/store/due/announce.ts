import { groupBy } from '../../collections/group-by.ts';
import type { Database } from '../../db/connect.ts';
import { afterCommit } from '../../db/transact.ts';
import type { DueWork, NotifyWork } from '../../queue/work-notifications.ts';

/** A destination with due work, and its type. */
export type DueDestination = { destination_id: number; type: string };

/** SQL: the columns of a `DueDestination` that an update of `associations a` returns. */
export const DUE_DESTINATION =
  'a.destination_id, (SELECT o.type FROM destinations o WHERE o.id = a.destination_id) AS type';

const notifiers = new WeakMap<Database, NotifyWork>();
// What the running transactions have made due so far.
const gathered = new WeakMap<Database, DueDestination[]>();

/** From now on, workers are notified of what transactions of this database make due. */
export function notifyOnCommit(db: Database, notifyWork: NotifyWork): void {
  notifiers.set(db, notifyWork);
}

/**
 * Notifies the workers of these destinations once the transaction commits. Every statement that makes associations due
 * ends here, so that none waits for a sweep.
 */
export function announceDue(transaction: Database, due: DueDestination[]): void {
  if (due.length === 0) return;
  const known = gathered.get(transaction);
  if (known) return void known.push(...due);
  const all = [...due];
  if (transaction.isTransaction === true) gathered.set(transaction, all);
  afterCommit(transaction, (root) => notifiers.get(root)?.(byType(all)));
}

function byType(due: DueDestination[]): DueWork {
  const groups = groupBy(due, ({ type }) => type);
  return new Map(
    [...groups].map(([type, all]) => [type, [...new Set(all.map((one) => one.destination_id))]]),
  );
}
