const MINUTE_MS = 60_000;
const MINUTES_OF_A_DAY = 24 * 60;

/**
 * The latest time of a schedule (UTC) that is not after the minute of `now`. Of a schedule, minute and hour may be a number, `*`
 * or `*` with a step; it comes every day. Throws if it never comes.
 */
export function latestScheduledTime(cron: string, now: Date): Date {
  const [minute = '', hour = '', ...days] = cron.split(' ');
  const minutes = Math.floor(now.getTime() / MINUTE_MS);
  for (let before = 0; before < MINUTES_OF_A_DAY && days.join(' ') === '* * *'; before += 1) {
    const time = new Date((minutes - before) * MINUTE_MS);
    if (matches(minute, time.getUTCMinutes()) && matches(hour, time.getUTCHours())) return time;
  }
  throw new Error(`the schedule ${cron} does not come every day`);
}

function matches(field: string, value: number): boolean {
  const [start, step = '1'] = field.split('/');
  return start === '*' ? value % Number(step) === 0 : value === Number(field);
}
