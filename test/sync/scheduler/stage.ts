import type { Claim } from '../../../libs/store/orders/claim.ts';
import type { WorkOrder } from '../../../libs/store/orders/order.ts';
import type { OrderResult } from '../../../libs/store/orders/result.ts';
import type { ClaimRequest, WriteReservation } from '../../../libs/store/orders/rate-limit.ts';
import type { SchedulerClock } from '../../../libs/sync/scheduler/call-slots.ts';
import type { Lease, Plan } from '../../../libs/sync/order.ts';
import { beginPlan } from '../../../libs/sync/push/plan.ts';
import { Scheduler, type SchedulerOptions } from '../../../libs/sync/scheduler/scheduler.ts';

const LEASE_MS = 30_000;

/** A clock that moves only when it is told to. */
export class FakeClock implements SchedulerClock {
  #now = 1000;
  #timers: { at: number; action: () => void }[] = [];
  #turn: (() => void)[] = [];

  now = (): number => this.#now;
  after = (milliseconds: number, action: () => void): void => {
    this.#timers.push({ at: this.#now + milliseconds, action });
  };
  nextTurn = (action: () => void): void => void this.#turn.push(action);

  /** Runs the next turn of the event loop. False if nothing waited for it. */
  turn(): boolean {
    const actions = this.#turn.splice(0);
    for (const action of actions) action();
    return actions.length > 0;
  }

  /** Runs the earliest timer up to this time, and moves the clock to it. */
  goOn(until: number): boolean {
    const [next] = this.#timers.toSorted((left, right) => left.at - right.at);
    if (!next || next.at > until) {
      this.#now = until;
      return false;
    }
    this.#timers = this.#timers.filter((timer) => timer !== next);
    this.#now = Math.max(this.#now, next.at);
    next.action();
    return true;
  }
}

/** A push in progress. */
export type Push = { id: number; orders: number; lease: Lease; end: (result?: Partial<OrderResult>) => void };

/** A scheduler whose clock, rows and store are controlled by the test. */
export class Stage {
  readonly clock = new FakeClock();
  readonly scheduler: Scheduler;
  /** Due orders, by destination. */
  readonly due = new Map<number, number>();
  readonly revisions = new Map<number, number>();
  readonly reservations = new Map<number, WriteReservation>();
  readonly claims: ClaimRequest[][] = [];
  readonly notified: number[] = [];
  readonly begun: { id: number; at: number }[] = [];
  pushes: Push[] = [];
  /** How long a push takes; null: until the test ends it. */
  takesMs: number | null = null;
  hold: Promise<void> | undefined;

  constructor(options: Partial<SchedulerOptions> = {}) {
    this.scheduler = new Scheduler({
      concurrency: 4,
      batchSize: 1,
      leaseMs: LEASE_MS,
      claim: (requests) => this.#claim(requests),
      prepare: (orders) => Promise.resolve(orders.map((order) => beginPlan(order))),
      push: (plans, lease) => this.#push(plans, lease),
      store: (results) => Promise.resolve(results.some(({ settled }) => !settled)),
      findRevisions: (ids) => Promise.resolve(new Map(ids.map((id) => [id, this.#revisionOf(id)]))),
      notifyWorkers: (id) => this.notified.push(id),
      clock: this.clock,
      ...options,
    });
  }

  /** Makes orders due and notifies the scheduler. */
  async add(orders: Record<number, number>): Promise<void> {
    for (const [id, count] of Object.entries(orders)) this.due.set(Number(id), count);
    void this.scheduler.notify(Object.keys(orders).map(Number));
    await this.settle();
  }

  /** Runs everything that needs no time, within this turn of the event loop. */
  async flush(): Promise<void> {
    for (let round = 0; round < 3; round += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Runs everything that needs no time. */
  async settle(): Promise<void> {
    do await this.flush();
    while (this.clock.turn());
  }

  async advance(milliseconds: number): Promise<void> {
    const until = this.clock.now() + milliseconds;
    while (this.clock.goOn(until)) await this.settle();
    await this.settle();
  }

  /** The number of pushes in progress to a destination. */
  underWay(id: number): number {
    return this.pushes.filter((push) => push.id === id).length;
  }

  /** Ends pushes that are in progress. */
  async end(pushes: Push[], result?: Partial<OrderResult>): Promise<void> {
    for (const push of pushes) push.end(result);
    await this.settle();
  }

  #revisionOf(id: number): number {
    return this.revisions.get(id) ?? 1;
  }

  async #claim(requests: ClaimRequest[]): Promise<Claim> {
    this.claims.push(requests);
    await this.hold;
    const reservations = new Map<number, WriteReservation>();
    const orders = requests.flatMap(({ destinationId: id, orders: wanted }) => {
      const reservation = this.reservations.get(id);
      if (reservation) reservations.set(id, reservation);
      const due = this.due.get(id) ?? 0;
      const taken = Math.min(due, wanted, reservation?.writes ?? wanted);
      this.due.set(id, due - taken);
      const order = { destination: { id, revision: this.#revisionOf(id) } };
      return Array.from({ length: taken }, () => order as WorkOrder);
    });
    const more = new Set(orders.map((order) => order.destination.id).filter((id) => this.due.get(id)));
    return { orders, reservations, more };
  }

  #push(plans: Plan[], lease: Lease): Promise<OrderResult[]> {
    const id = plans[0]?.order.destination.id ?? 0;
    this.begun.push({ id, at: this.clock.now() });
    return new Promise((resolve) => {
      const push: Push = {
        id,
        orders: plans.length,
        lease,
        end: (result = {}) => {
          this.pushes = this.pushes.filter((one) => one !== push);
          resolve(
            plans.map(() => ({ destinationId: id, settled: true, throttleMs: 0, ...result }) as OrderResult),
          );
        },
      };
      this.pushes.push(push);
      if (this.takesMs !== null) this.clock.after(this.takesMs, push.end);
    });
  }
}
