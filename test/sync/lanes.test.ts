import { expect } from 'chai';
import { createLane, laneSlots, noteClaim, noteOutcome } from '../../libs/sync/scheduler/lanes.ts';

const options = { concurrency: 4, groupSize: 1, share: { orders: 1000, calls: 100 }, now: 0 };

/** A lane that has pushed an order a millisecond for half a second. */
function busyLane() {
  const lane = createLane(1);
  lane.demand = true;
  noteClaim(lane, 1000);
  lane.inFlight = 4;
  for (let now = 1001; now <= 1500; now += 1) noteOutcome(lane, 1, false, now);
  return lane;
}

describe('how many orders a destination is claimed', () => {
  it('its slots first, where nothing is under way, and then what is to wait for them', () => {
    const lane = busyLane();
    expect(laneSlots({ ...lane, inFlight: 0 }, options)).to.equal(4);
    expect(laneSlots({ ...lane, inFlight: 4 }, options)).to.be.within(190, 210);
  });

  it('more before the last one waits for a slot', () => {
    const lane = busyLane();
    expect(laneSlots({ ...lane, waiting: 150 }, options)).to.equal(0);
    expect(laneSlots({ ...lane, waiting: 95 }, options)).to.be.within(95, 115);
  });

  it('as many as before after an hour without work: its speed is what it does while it has some', () => {
    const lane = busyLane();
    lane.inFlight = 0;
    const later = 1500 + 3_600_000;
    noteClaim(lane, later);
    lane.inFlight = 4;
    noteOutcome(lane, 1, false, later + 1);
    expect(laneSlots(lane, options)).to.be.within(190, 210);
  });

  it('more again when it gets quicker, however many claims have found nothing meanwhile', () => {
    const lane = busyLane();
    lane.inFlight = 0;
    for (let minute = 1; minute <= 60; minute += 1) noteClaim(lane, 1500 + minute * 60_000);
    lane.inFlight = 4;
    const later = 1500 + 3_600_000;
    for (let now = later + 1; now <= later + 500; now += 1) noteOutcome(lane, 1.5, false, now);
    expect(laneSlots(lane, options)).to.be.within(270, 310);
  });

  it('no more than its share of the worker', () => {
    expect(laneSlots(busyLane(), { ...options, share: { orders: 10, calls: 2 } })).to.equal(6);
  });
});
