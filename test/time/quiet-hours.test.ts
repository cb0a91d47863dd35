import { expect } from 'chai';
import { isQuiet } from '../../libs/time/quiet-hours.ts';

const BERLIN = 'Europe/Berlin';
const MINUTE = 60_000;

/** The beginnings and ends of the quiet hours between two times. */
function changesBetween(
  hours: { from: string; to: string; days?: string[]; zone?: string },
  start: string,
  end: string,
): string[] {
  const { from, to, days = [], zone = BERLIN } = hours;
  const quiet = { quiet_from: from, quiet_to: to, quiet_days: days, quiet_time_zone: zone };
  const changes: string[] = [];
  let before = isQuiet(quiet, new Date(start));
  for (let instant = Date.parse(start) + MINUTE; instant <= Date.parse(end); instant += MINUTE) {
    const now = isQuiet(quiet, new Date(instant));
    if (now !== before)
      changes.push(`${now ? 'quiet' : 'loud'} ${new Date(instant).toISOString().slice(0, 16)}`);
    before = now;
  }
  return changes;
}

describe('quiet hours', () => {
  it('quiet hours over midnight belong to the day on which they begin', () => {
    const weekdays = { from: '22:00', to: '06:30', days: ['fri'] };
    expect(changesBetween(weekdays, '2030-05-09T12:00Z', '2030-05-12T12:00Z')).to.deep.equal([
      'quiet 2030-05-10T20:00',
      'loud 2030-05-11T04:30',
    ]);
    expect(
      changesBetween({ from: '12:00', to: '12:00', days: ['sat'] }, '2030-05-10T00:00Z', '2030-05-13T00:00Z'),
    ).to.deep.equal(['quiet 2030-05-11T10:00', 'loud 2030-05-12T10:00']);
  });

  it('quiet hours keep to the clock on the wall in the night in which an hour is missing', () => {
    const night = ['2030-03-30T12:00Z', '2030-03-31T12:00Z'] as const;
    expect(changesBetween({ from: '22:00', to: '06:00' }, ...night)).to.deep.equal([
      'quiet 2030-03-30T21:00',
      'loud 2030-03-31T04:00',
    ]);
    // 02:30 does not exist: the clock jumps from 02:00 to 03:00.
    expect(changesBetween({ from: '22:00', to: '02:30' }, ...night)).to.deep.equal([
      'quiet 2030-03-30T21:00',
      'loud 2030-03-31T01:00',
    ]);
    expect(changesBetween({ from: '02:30', to: '06:00' }, ...night)).to.deep.equal([
      'quiet 2030-03-31T01:00',
      'loud 2030-03-31T04:00',
    ]);
  });

  it('quiet hours stay in one piece in the night in which an hour comes twice', () => {
    const night = ['2030-10-26T12:00Z', '2030-10-27T12:00Z'] as const;
    expect(changesBetween({ from: '22:00', to: '06:00' }, ...night)).to.deep.equal([
      'quiet 2030-10-26T20:00',
      'loud 2030-10-27T05:00',
    ]);
    expect(changesBetween({ from: '22:00', to: '02:30' }, ...night)).to.deep.equal([
      'quiet 2030-10-26T20:00',
      'loud 2030-10-27T01:30',
    ]);
    expect(changesBetween({ from: '02:30', to: '06:00' }, ...night)).to.deep.equal([
      'quiet 2030-10-27T00:30',
      'loud 2030-10-27T05:00',
    ]);
    expect(changesBetween({ from: '02:10', to: '02:40' }, ...night)).to.deep.equal([
      'quiet 2030-10-27T00:10',
      'loud 2030-10-27T01:40',
    ]);
  });

  it('quiet hours follow zones whose clock changes by half an hour or at midnight', () => {
    const lordHowe = { from: '01:40', to: '01:50', zone: 'Australia/Lord_Howe' };
    expect(changesBetween(lordHowe, '2030-04-06T08:00Z', '2030-04-07T08:00Z')).to.deep.equal([
      'quiet 2030-04-06T14:40',
      'loud 2030-04-06T15:20',
    ]);
    const india = { from: '22:00', to: '06:00', zone: 'Asia/Kolkata' };
    expect(changesBetween(india, '2030-04-06T08:00Z', '2030-04-07T08:00Z')).to.deep.equal([
      'quiet 2030-04-06T16:30',
      'loud 2030-04-07T00:30',
    ]);
  });
});
