import type { Commands } from '../../libs/commands/commands.ts';
import type { DeadLetters } from '../../libs/queue/dead-letters.ts';
import type { EventSender } from '../../libs/queue/events.ts';
import type { Context } from '../../libs/service/context.ts';
import type { AuditedChanges } from './audited-changes.ts';

/** What jobs and commands work with. */
export type MaintenanceServices = Context & {
  events: EventSender;
  commands: Commands;
  deadLetters: DeadLetters;
  /** Throws if the broker is unreachable. */
  countDeadLetters: () => Promise<number>;
  /** The kinds of workers that are needed and of which none runs; null while the broker is away. */
  findIdleWorkers: () => Promise<string[] | null>;
};

/**
 * One run. A job uses no other clock than `now`, the time by Postgres. Every write to the database goes through `change`.
 */
export type JobRun = {
  services: MaintenanceServices;
  now: Date;
  change: AuditedChanges['change'];
  /** Options of a run by hand. */
  options: { replay: boolean; discard?: boolean };
  /** Aborted when the process stops: a long run ends between two steps, and the rest stays due. */
  signal: AbortSignal;
  /** Shows one finding, in addition to the summary. */
  report: (found: Record<string, unknown>) => void;
};

/**
 * The result of a run in numbers and short texts: its summary line. `problems` above 0 means that a person should look.
 */
export type JobSummary = { problems?: number } & Record<string, number | string | null>;

/** A run must be harmless at any time, because it may be repeated after a crash. */
export type Work = {
  name: string;
  /** The name in an earlier release; the job is still found by it. */
  formerName?: string;
  description: string;
  run: (run: JobRun) => Promise<JobSummary>;
};

/** `cron` is in UTC; null: the job runs only by hand. */
export type Job = Work & { cron: string | null };
