import type { CommandCaller } from '../../libs/queue/commands.ts';
import type { DeadLetters } from '../../libs/queue/dead-letters.ts';
import type { EventSender } from '../../libs/queue/events.ts';
import type { NotifyWork } from '../../libs/queue/work-notifications.ts';
import type { Context } from '../../libs/service/context.ts';
import type { AuditedChanges } from './audited-changes.ts';

/** What jobs and commands work with. */
export type MaintenanceServices = Context & {
  events: EventSender;
  notifyWork: NotifyWork;
  commands: CommandCaller;
  deadLetters: DeadLetters;
  /** Throws while the broker is away. */
  countDeadLetters: () => Promise<number>;
};

/** One run. `now`, by Postgres' clock, is the only clock a job looks at; every write to the database goes through `change`. */
export type JobRun = {
  services: MaintenanceServices;
  now: Date;
  change: AuditedChanges['change'];
  /** What was asked for by hand. */
  options: { replay: boolean };
  /** Aborted when the process stops: a long run ends between two steps, and what is left stays due. */
  signal: AbortSignal;
  /** Shows one thing that was found, beside the summary. */
  report: (found: Record<string, unknown>) => void;
};

/** What a run did, in numbers and short texts: its summary line. `problems` above 0 means that a person should look. */
export type JobSummary = { problems?: number } & Record<string, number | string | null>;

/** A run must be harmless at any time, since it may be repeated after a crash. */
export type Work = {
  name: string;
  /** What it was called in an earlier release; it is still found by it. */
  formerName?: string;
  description: string;
  run: (run: JobRun) => Promise<JobSummary>;
};

/** `cron` is in UTC; null: by hand only. */
export type Job = Work & { cron: string | null };
