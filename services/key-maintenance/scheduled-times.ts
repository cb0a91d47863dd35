import { CronExpressionParser } from 'cron-parser';

const MINUTE_MS = 60_000;

/** The latest time of a schedule (UTC) that is not after the minute of `now`. */
export function latestScheduledTime(cron: string, now: Date): Date {
  const nextMinute = new Date((Math.floor(now.getTime() / MINUTE_MS) + 1) * MINUTE_MS);
  return CronExpressionParser.parse(cron, { currentDate: nextMinute, tz: 'UTC' }).prev().toDate();
}
