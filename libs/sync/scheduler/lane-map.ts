import { createLane, type Lane } from './lanes.ts';

const FORGET_IDLE_ABOVE = 5000;

/** The lanes of a worker, by destination. */
export class LaneMap extends Map<number, Lane> {
  /** The lane of a destination, made where there is none; then those without work are forgotten, should there be many. */
  of(destinationId: number): Lane {
    const known = this.get(destinationId);
    if (known) return known;
    if (this.size > FORGET_IDLE_ABOVE) this.#forgetIdle();
    const lane = createLane(destinationId);
    this.set(destinationId, lane);
    return lane;
  }

  #forgetIdle(): void {
    for (const [id, lane] of this) {
      if (!lane.demand && lane.inFlight + lane.waiting === 0 && lane.outages === 0) this.delete(id);
    }
  }
}
