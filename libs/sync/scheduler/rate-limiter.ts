import type { Destination } from '../../connector/contract.ts';
import type { WriteReservation, RateLimit } from '../../store/orders/rate-limit.ts';

// A little below the documented limit, so that jitter on the way does not cross it.
const SHARE = 0.98;
// How much closer than reserved two writes may follow each other after a delay.
const CATCH_UP = 0.9;

/** The rate limit that a store documents for a destination of this type; undefined where it has none. */
export function rateLimitOf({ rate }: Destination): RateLimit | undefined {
  return rate && { intervalMs: rate.perMs / (rate.writes * SHARE) };
}

/**
 * When a worker may write to one destination: at the times that it reserved in Postgres, once the store throttled, and not
 * at all while the store asked for a pause. All times are of `performance.now()`.
 */
export class RateLimiter {
  /** Whether writes need a reservation, as far as this worker knows. */
  isLimited = false;
  #intervalMs = 0;
  #startedAt = 0;
  #pausedUntil = 0;

  /** Takes over what a claim learned; undefined: the destination is not limited. */
  apply(reservation: WriteReservation | undefined): void {
    this.isLimited = reservation !== undefined;
    this.#intervalMs = reservation?.intervalMs ?? 0;
  }

  /** The reserved time of the write at a position among those of one reservation. */
  startOf(reservation: WriteReservation | undefined, now: number, position: number): number {
    return now + (reservation?.startMs ?? 0) + position * (reservation?.intervalMs ?? 0);
  }

  /** Milliseconds until a write that was reserved for `startAt` may begin. Late writes are not made up for: the store counts them as they come. */
  delay(startAt: number, now: number): number {
    if (this.#intervalMs === 0 || this.isPaused(now)) return 0;
    return Math.max(0, Math.max(startAt, this.#startedAt + this.#intervalMs * CATCH_UP) - now);
  }

  begin(now: number): void {
    this.#startedAt = now;
  }

  /** No call until then: what is claimed already is handed back. */
  pauseUntil(time: number): void {
    this.#pausedUntil = time;
  }

  isPaused(now: number): boolean {
    return this.#pausedUntil > now;
  }

  /** What the store asked for was meant for credentials or settings that have changed since. */
  endPause(): void {
    this.#pausedUntil = 0;
  }
}
