import { performance } from 'node:perf_hooks';
import { findRevisions } from '../../store/destinations/destinations.ts';
import { claimWork, type Claim } from '../../store/orders/claim.ts';
import type { WorkOrder } from '../../store/orders/order.ts';
import type { OrderResult } from '../../store/orders/result.ts';
import type { Grant } from '../../store/orders/spacing.ts';
import { currentTrace, noTrace, withSpan, type Trace } from '../../tracing/trace.ts';
import { forgetFormerSettings } from '../sessions/former-settings.ts';
import { groupByDestination, type Group } from './groups.ts';
import { paceOf } from './pace.ts';
import { LaneMap } from './lane-map.ts';
import {
  beginAnew,
  callsOthers,
  chooseLanes,
  demandOf,
  isFull,
  isHeldBack,
  laneSlots,
  laneWidth,
  noteClaim,
  noteOutcome,
  takeTrace,
  type Lane,
} from './lanes.ts';
import type { EngineParts } from '../parts.ts';
import { prepareInGroups } from '../push/prepare.ts';
import { pushOrders } from '../push/push.ts';
import { createResultStore } from '../results/result-store.ts';
import { shareOut, type Share } from './shares.ts';
import { Slots } from './slots.ts';

// What is claimed is loaded with its values: a bound for the memory.
const MOST_PER_CLAIM = { lanes: 500, orders: 500 };
// Longer than it takes to store that a destination failed as a whole.
const FAILED_PAUSE_MS = 300;

/**
 * Turns demand for destinations into pushes. One claim is under way at a time, for all lanes with free slots together;
 * each lane has slots of its own; outcomes are stored in batches.
 */
export class Dispatcher {
  readonly #parts: EngineParts;
  readonly #groupSize: number;
  readonly #lanes = new LaneMap();
  readonly #slots: Slots;
  readonly #store: (results: OrderResult[]) => Promise<void>;
  #claiming: Promise<void> | undefined;
  #claimAgain = false;
  #share: Share = { orders: 1, calls: 1 };
  #stopped = false;
  #active = 0;
  #idle: (() => void)[] = [];

  constructor(parts: EngineParts, onResult: (results: OrderResult[]) => void) {
    this.#parts = parts;
    this.#groupSize = parts.destination.batchSize ?? 1;
    const { CONCURRENCY: concurrency } = parts.context.config;
    this.#slots = new Slots({
      concurrency,
      widthOf: (lane) => laneWidth(lane, concurrency, this.#share) * this.#groupSize,
      begin: (group) => this.#begin(group),
      isEnding: () => this.#stopped,
    });
    const isBusy = (): boolean => this.#slots.isBusy;
    this.#store = createResultStore(parts, isBusy, (results, dueAgain) => {
      for (const id of dueAgain) this.#lanes.of(id).demand = true;
      onResult(results);
    });
  }

  /** These destinations have work; resolves when a claim that began afterwards has ended, so that what was due is somebody's. */
  async wake(destinationIds: number[]): Promise<void> {
    if (this.#stopped) return;
    const trace = currentTrace();
    for (const id of destinationIds) {
      const lane = this.#lanes.of(id);
      lane.demand = true;
      lane.trace = trace ?? lane.trace;
    }
    await this.#reconsider(destinationIds);
    await this.#claim();
  }

  /** Takes nothing new, and waits for what is in flight. */
  async drain(): Promise<void> {
    this.#stopped = true;
    await this.#claiming;
    // What waits for a slot is handed back by its push, which sees that time is up.
    this.#slots.fillAll();
    if (this.#active > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  // Nobody who has mended a destination waits for the pause that it was given before.
  async #reconsider(destinationIds: number[]): Promise<void> {
    const now = performance.now();
    const lanes = destinationIds.map((id) => this.#lanes.of(id)).filter((lane) => isHeldBack(lane, now));
    if (lanes.length === 0) return;
    const ids = lanes.map((lane) => lane.destinationId);
    const revisions = await findRevisions(this.#parts.context.db, ids);
    for (const lane of lanes) {
      const revision = revisions.get(lane.destinationId) ?? 0;
      if (revision !== lane.revision) beginAnew(lane, revision);
    }
  }

  // A wake-up that comes during a claim is served by the claim after it.
  #claim(): Promise<void> {
    if (this.#claiming) {
      this.#claimAgain = true;
      return this.#claiming.then(() => this.#claiming ?? Promise.resolve());
    }
    this.#claiming = this.#claimAll().finally(() => {
      this.#claiming = undefined;
      if (this.#claimAgain) {
        this.#claimAgain = false;
        this.#claimSoon();
      }
    });
    return this.#claiming;
  }

  #claimSoon(): void {
    if (!this.#stopped) void this.#claim().catch(() => undefined);
  }

  #slotsOf(lane: Lane): number {
    const { CONCURRENCY: concurrency } = this.#parts.context.config;
    const now = performance.now();
    return laneSlots(lane, { concurrency, groupSize: this.#groupSize, share: this.#share, now });
  }

  async #claimAll(): Promise<void> {
    const { config } = this.#parts.context;
    const now = performance.now();
    this.#share = shareOut(this.#lanes.values(), config.CONCURRENCY);
    const slotsOf = this.#slotsOf.bind(this);
    const wanted = chooseLanes(this.#lanes, slotsOf, MOST_PER_CLAIM);
    if (wanted.length === 0 || this.#stopped) return;
    const traces = new Map(wanted.map(({ lane }) => [lane, takeTrace(lane)]));
    for (const { lane } of wanted) lane.demand = false;
    await this.#parts.step('before-claim');
    let claim: Claim;
    try {
      claim = await claimWork(this.#parts.context.db, wanted.map(demandOf), {
        type: this.#parts.destination.type,
        leaseMs: config.LEASE,
        pace: paceOf(this.#parts.destination),
      });
    } catch (error) {
      // The sweep asks again; until then the database has time to come back.
      this.#parts.context.log.warn({ error }, 'work could not be claimed');
      for (const { lane } of wanted) lane.demand = true;
      return;
    }
    await this.#parts.step('after-claim');
    const orders = groupByDestination(claim.orders);
    for (const { lane, slots } of wanted) {
      const mine = orders.get(lane.destinationId) ?? [];
      const pace = claim.paced.get(lane.destinationId);
      lane.paced = pace !== undefined;
      // As many as were asked for: there may be more.
      if (mine.length >= Math.min(slots, pace?.granted ?? slots)) lane.demand = true;
      if (lane.demand && callsOthers(lane, now)) this.#parts.callOthers(lane.destinationId);
      if (pace && lane.demand) this.#pause(lane, pace.againMs);
      this.#enqueue(lane, mine, { deadline: now + config.LEASE, trace: traces.get(lane), pace });
    }
    // Another claim at once, where this one filled the slots only or its bounds left lanes out.
    this.#claimAgain ||= isFull(wanted, MOST_PER_CLAIM) || wanted.some(({ lane }) => slotsOf(lane) > 0);
  }

  // The next write that the store's limit allows is due then, not before.
  #pause(lane: Lane, milliseconds: number): void {
    const until = performance.now() + milliseconds;
    lane.pausedUntil = until;
    const resume = (): void => {
      // Timers run by the clock of the event loop, which lags: by ours it may be a moment too early.
      if (lane.pausedUntil === until) lane.pausedUntil = 0;
      this.#claimSoon();
    };
    setTimeout(resume, milliseconds).unref();
  }

  #enqueue(
    lane: Lane,
    orders: WorkOrder[],
    { deadline, trace, pace }: { deadline: number; trace: Trace | undefined; pace: Grant | undefined },
  ): void {
    const now = performance.now();
    noteClaim(lane, now);
    const startsAt = now + (pace?.startMs ?? 0);
    lane.intervalMs = pace?.intervalMs ?? 0;
    lane.revision = orders[0]?.destination.revision ?? lane.revision;
    const size = this.#groupSize;
    const groups = prepareInGroups(orders, size, this.#parts).map((group, index): Group => {
      return { lane, deadline, trace, startAt: startsAt + index * size * lane.intervalMs, ...group };
    });
    this.#slots.add(lane, groups);
  }

  #begin(group: Group): void {
    this.#active += 1;
    void this.#push(group).finally(() => this.#ended(group));
  }

  async #push(group: Group): Promise<void> {
    const attributes = {
      'sealift.type': this.#parts.destination.type,
      'sealift.orders': group.orders.length,
    };
    const pushed = await withSpan('push', { parent: group.trace ?? noTrace, attributes }, () =>
      pushOrders(group.prepare, group.deadline, this.#partsFor(group.lane)),
    );
    const revision = group.orders[0]?.destination.revision ?? 0;
    const results = await forgetFormerSettings(this.#parts.context.db, pushed, revision);
    const throttleMs = Math.max(...results.map((result) => result.throttleMs));
    // What was claimed already is handed back: one association will try, when it is time.
    const pauseMs = results.some(({ finding }) => finding?.failure) ? FAILED_PAUSE_MS : throttleMs;
    if (pauseMs > 0) group.lane.refusedUntil = performance.now() + pauseMs;
    noteOutcome(
      group.lane,
      results.length,
      results.some((result) => result.outage),
      performance.now(),
    );
    await this.#parts.step('before-store');
    // The slot is free for the next call already; storing has its own queue, and takes longer than what waits may last.
    this.#slots.release(group);
    if (this.#slotsOf(group.lane) > 0) this.#claimSoon();
    await this.#store(results);
  }

  // What was claimed before the store asked for a pause is handed back without a call.
  #partsFor(lane: Lane): EngineParts {
    const draining = (): boolean => this.#parts.draining() || lane.refusedUntil > performance.now();
    return { ...this.#parts, draining };
  }

  #ended(group: Group): void {
    this.#active -= 1;
    if (this.#active === 0) for (const resolve of this.#idle.splice(0)) resolve();
    if (group.lane.demand) this.#claimSoon();
  }
}
