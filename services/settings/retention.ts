import type { Database } from '../../libs/db/connect.ts';
import type { EventSender } from '../../libs/queue/events.ts';
import { deleteRetentionPolicy, storeRetentionPolicy } from '../../libs/store/settings/retention.ts';

type Services = { db: Database; events: EventSender };

const CHANGED = { name: 'settings.changed', data: { kind: 'data-retention-policy' } };

/** Sets how many days the installation keeps old data. */
export async function setRetentionPolicy({ db, events }: Services, { days }: { days: number }) {
  const stored = await storeRetentionPolicy(db, days);
  events.send(CHANGED);
  return stored;
}

/** Keeps everything from now on. Returns the former number of days. */
export async function removeRetentionPolicy({ db, events }: Services): Promise<{ former: number | null }> {
  const former = await deleteRetentionPolicy(db);
  if (former !== null) events.send(CHANGED);
  return { former };
}
