import {
  FAULTS,
  OWN_FAULTS,
  type Fake,
  type FakeReply,
  type FakeRequest,
  type Fault,
  type PlantedEntry,
} from './contract.ts';
import { readJson } from './transport.ts';
import { TrustError } from './trust.ts';

/** Requests below this path control the fake and never reach the store. */
export const CONTROL_PREFIX = '/_sandbox/';

type Control = (fake: Fake, body: Record<string, unknown>) => object;

const controls: Record<string, Control> = {
  'GET entries': (fake) => ({ entries: fake.entries() }),
  'GET calls': (fake) => ({
    calls: fake.calls(),
    highestConcurrency: fake.highestConcurrency(),
    refusedCalls: fake.refusedCalls(),
  }),
  'DELETE calls': (fake) => done(fake.clearCalls()),
  'GET faults': (fake) => ({ faults: fake.faults() }),
  'POST faults': (fake, body) => done(fake.addFault(body as Fault)),
  'DELETE faults': (fake) => done(fake.clearFaults()),
  'POST plant': (fake, body) => done(fake.plant(body as PlantedEntry)),
  'POST accept-after': (fake, { credential, milliseconds }) =>
    done(fake.acceptAfter(String(credential), Number(milliseconds))),
  'GET trust': (fake) => ({ trusts: fake.trusts() }),
  'POST trust': (fake, body) => done(fake.trust?.(body)),
  'POST reset': (fake) => done(fake.reset()),
};

function done(_nothing: void): object {
  return { done: true };
}

/** Offers over HTTP what a test in the same process does by calling the fake. */
export function answerControl(fake: Fake, request: FakeRequest): FakeReply {
  const control = controls[`${request.method} ${request.path.slice(CONTROL_PREFIX.length)}`];
  if (!control) return { status: 404, body: { error: 'no such control' } };
  const body = readJson(request);
  if (request.path.endsWith('/faults') && request.method === 'POST' && !isFault(body))
    return { status: 400, body: { error: `a fault needs a kind: one of ${FAULTS.join(', ')}` } };
  if (request.path.endsWith('/plant') && typeof body['name'] !== 'string')
    return { status: 400, body: { error: 'an entry needs a name' } };
  if (request.path.endsWith('/accept-after') && !isWait(body))
    return { status: 400, body: { error: 'a wait needs a credential and milliseconds' } };
  if (request.path.endsWith('/trust') && !fake.trust)
    return { status: 400, body: { error: 'this store knows only stored credentials' } };
  try {
    return { status: 200, body: control(fake, body) };
  } catch (error) {
    if (error instanceof TrustError) return { status: 400, body: { error: error.message } };
    throw error;
  }
}

function isFault({ kind }: Record<string, unknown>): boolean {
  return [...FAULTS, ...OWN_FAULTS].some((known) => known === kind);
}

function isWait({ credential, milliseconds }: Record<string, unknown>): boolean {
  return typeof credential === 'string' && typeof milliseconds === 'number';
}
