import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Acceptance } from './acceptance.ts';
import type { Copies } from './copies.ts';
import type { FakeDefinition, FakeOptions, FakeReply, FakeRequest, Fault } from './contract.ts';
import type { FaultList } from './faults.ts';
import type { Ledger } from './ledger.ts';
import { sendReply } from './transport.ts';
import type { LimitGate } from './write-limit.ts';

type Parts = {
  definition: FakeDefinition;
  ledger: Ledger;
  faults: FaultList;
  gate: LimitGate;
  copies: Copies;
  acceptance: Acceptance;
  latencyMs: number;
  answered: FakeOptions['answered'] | undefined;
};

const SLOW = new Set(['slow']);
const HELD = new Set(['held']);
const BEFORE = new Set(['throttle', 'error', 'revoked', 'hang', 'cut', 'redirect', 'garbage']);
const STALE = 'stale-read';
const AFTER = new Set(['cut-after', 'hang-after']);

/** A reply, or how the connection ends without one. */
type Outcome = FakeReply | 'cut' | 'hang';

function strike(parts: Parts, request: FakeRequest, fault: Fault): Outcome {
  const { kind } = fault;
  if (kind === 'cut') return 'cut';
  if (kind === 'hang') return 'hang';
  if (kind === 'redirect')
    return { status: fault.status ?? 307, headers: { location: fault.location ?? 'http://127.0.0.1:9/' } };
  if (kind === 'garbage')
    return {
      status: fault.status ?? 200,
      headers: { 'content-type': 'text/html' },
      body: '<html>portal</html>',
    };
  return parts.definition.refuse({ ...fault, kind: kind as 'throttle' | 'error' | 'revoked' }, request);
}

async function decide(
  parts: Parts,
  request: FakeRequest,
  operation: string,
  target: string | null,
): Promise<Outcome> {
  const { definition, ledger, faults, gate, copies } = parts;
  const now = Date.now();
  const slow = faults.take(SLOW, operation, target);
  const delayMs = parts.latencyMs + (slow?.delayMs ?? 0);
  if (delayMs > 0) await wait(delayMs);
  if (faults.take(HELD, operation, target)) await faults.cleared();

  const credential = request.headers.authorization ?? '';
  const before = faults.take(BEFORE, operation, target);
  if (before) {
    parts.answered?.({ at: now, operation, target, status: 0, isStale: false, credential });
    return strike(parts, request, before);
  }

  const retryAfterSeconds = definition.isWrite(operation) ? gate.refuse(Date.now()) : undefined;
  if (retryAfterSeconds !== undefined) {
    ledger.countRefused();
    return definition.refuse({ kind: 'throttle', retryAfterSeconds }, request);
  }

  let isStale = false;
  const takeFault = (kind: string): Fault | undefined => {
    if (kind === STALE && !copies.lag(target)) return undefined;
    const taken = faults.take(new Set([kind]), operation, target);
    if (kind === STALE && taken) isStale = true;
    return taken;
  };
  const reply = await definition.handle(request, {
    operation,
    target,
    takeFault,
    isAccepted: parts.acceptance.isAccepted,
  });
  if (definition.isWrite(operation) && reply.status < 300) copies.note(target);
  parts.answered?.({ at: now, operation, target, status: reply.status, isStale, credential });
  const after = faults.take(AFTER, operation, target);
  if (!after) return reply;
  return after.kind === 'cut-after' ? 'cut' : 'hang';
}

/** Handles one call of the store's API: ledger, then faults, then the limit, then the store. */
export async function answerStore(
  parts: Parts,
  request: FakeRequest,
  response: ServerResponse,
): Promise<void> {
  const { operation, target } = parts.definition.identify(request);
  const end = parts.ledger.begin(operation, target);
  let outcome: Outcome;
  try {
    outcome = await decide(parts, request, operation, target);
  } catch (error) {
    // Names an error of the fake itself in a header, so that the test's output shows it.
    outcome = {
      status: 500,
      headers: {
        'x-sandbox-error': String(error)
          .slice(0, 200)
          .replace(/[^ -~]/g, ' '),
      },
    };
  }

  if (outcome === 'hang') return void response.once('close', () => end(0));
  if (outcome === 'cut') {
    end(0);
    return void response.destroy();
  }
  end(outcome.status);
  sendReply(response, outcome);
}
