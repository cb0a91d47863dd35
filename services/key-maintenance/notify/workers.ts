import type { Database } from '../../../libs/db/connect.ts';
import { readSeen, storeSeen } from '../../../libs/store/notifications/notifications.ts';
import type { PlacedRule } from '../../../libs/store/notifications/rules.ts';
import type { Happening, OutsideFacts } from './happenings.ts';

const MINUTE_MS = 60_000;
const NAME = 'missing-workers';

// The channels of the environment, beside the ids of rules.
const ENVIRONMENT = 0;

// A kind of worker of which none runs: since when, in RFC 3339, and which rules have told it.
type Missing = { name: string; since: string; told: number[] };

/** What each listener is to be told about workers: one is a rule, or the channels of the environment. */
export type WorkerNews = {
  forEnvironment: Happening[];
  /** By the id of the rule. */
  forRules: Map<number, Happening[]>;
};

/**
 * Notes which kinds of workers have none that runs, and finds what that is to tell: each absence once, after the minutes
 * of whoever is told, and its end. `rules`: those that want to hear of it. Call it in the transaction that stores the
 * notifications.
 */
export async function tellWorkers(
  transaction: Database,
  { now, idleWorkers, failedMinutes }: OutsideFacts,
  { rules, hasEnvironment }: { rules: PlacedRule[]; hasEnvironment: boolean },
): Promise<WorkerNews> {
  const before = (await readSeen<Missing[]>(transaction, NAME)) ?? [];
  if (idleWorkers === null) return { forEnvironment: [], forRules: new Map() };
  // A rule that was off meanwhile begins anew.
  const listeners = new Set([...(hasEnvironment ? [ENVIRONMENT] : []), ...rules.map(({ id }) => id)]);
  const missing = idleWorkers.map((name) => {
    const { since = now.toISOString(), told = [] } = before.find((one) => one.name === name) ?? {};
    return { name, since, told: told.filter((id) => listeners.has(id)) };
  });
  const returned = before.filter(({ name }) => !idleWorkers.includes(name));
  const tell = (listener: number, minutes: number): Happening[] => {
    const limit = now.getTime() - minutes * MINUTE_MS;
    const news = missing.filter(({ since, told }) => Date.parse(since) <= limit && !told.includes(listener));
    for (const one of news) one.told = [...one.told, listener];
    return news.length === 0 ? [] : [describe('workers.missing', news, { minutes })];
  };
  const tellReturn = (listener: number): Happening[] => {
    const news = returned.filter(({ told }) => told.includes(listener));
    return news.length === 0 ? [] : [describe('workers.returned', news)];
  };
  const forEnvironment = hasEnvironment ? tell(ENVIRONMENT, failedMinutes) : [];
  const forRules = new Map(
    rules.map(({ id, settings }) => [
      id,
      [...(settings.resolved ? tellReturn(id) : []), ...tell(id, settings.minutes)],
    ]),
  );
  await storeSeen(transaction, NAME, missing);
  return { forEnvironment, forRules };
}

function describe(kind: string, news: Missing[], more: Record<string, unknown> = {}): Happening {
  const workers = news.map(({ name, since }) => ({ name, since }));
  return { kind, data: { ...more, total: workers.length, workers } };
}
