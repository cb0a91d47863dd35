import type { WriteReservation } from '../../store/orders/rate-limit.ts';

// A timer is late now and then. If each late write moved all that follow, a tenth of the rate would be lost; so the time
// between two writes may shrink to this share of the reserved interval.
const CATCH_UP = 0.9;

/**
 * Says when a worker may write to one destination. If the store throttled before, the worker writes at the times that it
 * reserved in Postgres. While the store asks to wait, the worker calls nothing. All times are of
 * `performance.now()`.
 */
export class RateLimiter {
  /** Whether writes need a reservation, as far as this worker knows. */
  isLimited = false;
  #intervalMs = 0;
  #startedAt = 0;
  #callsFrom = 0;

  /** Takes over the reservation of a claim; undefined: the destination is not limited. */
  apply(reservation: WriteReservation | undefined): void {
    this.isLimited = reservation !== undefined;
    this.#intervalMs = reservation?.intervalMs ?? 0;
  }

  /** The reserved time of a write, by its position among the writes of one reservation. */
  startOf(reservation: WriteReservation | undefined, now: number, position: number): number {
    return now + (reservation?.startMs ?? 0) + position * (reservation?.intervalMs ?? 0);
  }

  /**
   * Milliseconds until a write that was reserved for `startAt` may begin. Late writes are not made up for: the store
   * counts each write when it comes.
   */
  delay(startAt: number, now: number): number {
    if (this.#intervalMs === 0 || !this.mayCall(now)) return 0;
    return Math.max(0, Math.max(startAt, this.#startedAt + this.#intervalMs * CATCH_UP) - now);
  }

  begin(now: number): void {
    this.#startedAt = now;
  }

  /** No call begins before that time: orders that are claimed already are handed back. */
  callNothingBefore(time: number): void {
    this.#callsFrom = time;
  }

  mayCall(now: number): boolean {
    return this.#callsFrom <= now;
  }

  /** What the store asked for concerned credentials or settings that have changed since. */
  callAgain(): void {
    this.#callsFrom = 0;
  }
}
