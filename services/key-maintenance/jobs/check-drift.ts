import { RequestError } from '../../../libs/errors/request-error.ts';
import {
  distrustEntries,
  findDriftChecks,
  noteDriftCheck,
  type DriftCheck,
} from '../../../libs/store/drift.ts';
import type { JobRun, Work } from '../job.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const WIDTH = 4;
const PER_DESTINATION = 500;
const LONGEST_RUN_MS = 120_000;

/** What a connector answers to `verify`. */
type Verified = { entries: { sub_key: string; external_name: string; state: string }[] };

/**
 * Once a day, for destinations that ask for it, whether the external entries still hold what we wrote. What somebody
 * changed or removed there is written again. What a run has no time for is left to the next.
 */
export const checkDrift: Work = {
  name: 'check-drift',
  description: 'Look for external entries that somebody else changed, and put them right',
  run: async (run) => {
    const before = new Date(run.now.getTime() - DAY_MS);
    const due = await findDriftChecks(run.services.db, { before, limit: PER_DESTINATION });
    const summary = { checked: 0, drifted: 0, unreachable: 0, postponed: 0 };
    const absent = new Set<string>();
    const end = performance.now() + LONGEST_RUN_MS;
    const next = due.values();
    const worker = async (): Promise<void> => {
      for (const check of next) {
        if (absent.has(check.type)) summary.unreachable += 1;
        else if (run.signal.aborted || performance.now() > end) summary.postponed += 1;
        else await checkOne(check, run, { summary, absent });
      }
    };
    await Promise.all(Array.from({ length: WIDTH }, worker));
    return summary;
  },
};

async function checkOne(
  check: DriftCheck,
  { services, now, change }: JobRun,
  state: { summary: { checked: number; drifted: number; unreachable: number }; absent: Set<string> },
): Promise<void> {
  const verified = await verify(check, services);
  if (!verified) {
    // No worker of the type is there: asking for the others would only take its time.
    state.absent.add(check.type);
    state.summary.unreachable += 1;
    return;
  }
  state.summary.checked += 1;
  await noteDriftCheck(services.db, check.associationId, now);
  const entries = verified.entries.filter(({ state: found }) => found === 'drifted' || found === 'missing');
  if (entries.length === 0) return;
  state.summary.drifted += entries.length;
  await change((transaction) =>
    distrustEntries(
      transaction,
      check.associationId,
      entries.map((entry) => ({ subKey: entry.sub_key, externalName: entry.external_name })),
    ),
  );
  services.wakes.send(new Map([[check.type, [check.destinationId]]]));
  services.events.send({
    name: 'association.drift',
    data: {
      association: check.associationId,
      destination: check.destinationId,
      type: check.type,
      drifted: entries.filter(({ state: found }) => found === 'drifted').length,
      missing: entries.filter(({ state: found }) => found === 'missing').length,
    },
  });
}

async function verify(check: DriftCheck, services: JobRun['services']): Promise<Verified | null> {
  try {
    const command = { name: 'verify', body: { association: check.associationId } };
    return (await services.commands.call(`connector.${check.type}`, command)) as Verified;
  } catch (error) {
    if (error instanceof RequestError && error.status === 503) return null;
    throw error;
  }
}
