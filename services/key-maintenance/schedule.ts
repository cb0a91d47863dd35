import type { Job } from './job.ts';
import { applyRetention } from './jobs/apply-retention.ts';
import { checkDrift } from './jobs/check-drift.ts';
import { deadLetters } from './jobs/dead-letters.ts';
import { invalidateLedgerJob } from './jobs/invalidate-ledger.ts';
import { expireTokens } from './jobs/expire-tokens.ts';
import { fetchKeySets } from './jobs/fetch-key-sets.ts';
import { finishDeletions } from './jobs/finish-deletions.ts';
import { finishPurges } from './jobs/finish-purges.ts';
import { checkCounts, keepCounts } from './jobs/keep-counts.ts';
import { noteIncidentsJob } from './jobs/note-incidents.ts';
import { notify } from './jobs/notify.ts';
import { recoverLedger } from './jobs/recover-ledger.ts';
import { rewrapSealedValues } from './jobs/rewrap-sealed-values.ts';
import { rotateSigningKeyJob } from './jobs/rotate-signing-key.ts';
import { trimSigningKeysJob } from './jobs/trim-signing-keys.ts';

/** All jobs and their schedules (UTC). Times in the database decide what a job then finds to do. */
export const jobs: Job[] = [
  // minute, hour, day of the month, month, day of the week
  { ...rotateSigningKeyJob, cron: '7 * * * *' },
  { ...trimSigningKeysJob, cron: '17 * * * *' },
  { ...expireTokens, cron: '*/10 * * * *' },
  { ...finishPurges, cron: '*/2 * * * *' },
  { ...finishDeletions, cron: '*/2 * * * *' },
  { ...fetchKeySets, cron: '*/10 * * * *' },
  { ...checkDrift, cron: '*/5 * * * *' },
  { ...notify, cron: '* * * * *' },
  { ...noteIncidentsJob, cron: '* * * * *' },
  { ...rewrapSealedValues, cron: '41 2 * * *' },
  { ...applyRetention, cron: '23 3 * * *' },
  { ...keepCounts, cron: '* * * * *' },
  { ...checkCounts, cron: '11 4 * * *' },
  { ...recoverLedger, cron: '* * * * *' },
  { ...deadLetters, cron: null },
  { ...invalidateLedgerJob, cron: null },
];

/** Finds a job by its present or its former name. */
export function findJob(name: string): Job | undefined {
  return jobs.find((job) => job.name === name || job.formerName === name);
}
