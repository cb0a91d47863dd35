import { NoPrimaryError } from '../db/failover/no-primary-error.ts';
import { describeRefusal, sentenceOf } from '../db/refusals.ts';

/** One sentence for operators: why Postgres does not do what a process needs. */
export function databaseFault(error: unknown): string {
  if (error instanceof NoPrimaryError) return error.message;
  const refusal = describeRefusal(error);
  // What the system says about an address helps less than this sentence.
  if (!refusal || refusal.detail === 'the database cannot be reached') return 'Postgres does not answer';
  return sentenceOf(refusal);
}
