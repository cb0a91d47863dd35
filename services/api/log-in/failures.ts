import { setTimeout } from 'node:timers/promises';
import pLimit, { type LimitFunction } from 'p-limit';
import { permissionDenied, RequestError } from '../../../libs/errors/request-error.ts';
import {
  beginLogIn,
  endLogIn,
  type FailureLimit,
  type LogInOutcome,
} from '../../../libs/store/auth/failures.ts';
import type { AuthMount } from '../../../libs/store/auth/mounts.ts';
import { limitedAddress } from '../access/client-address.ts';
import type { ApiRequest } from '../routing/endpoint.ts';

/** A log-in failed. `reason`: for the audit trail; it must hold nothing that the caller sent. `answer`: what the caller gets. */
export class LogInRefusal extends Error {
  readonly reason: string;
  readonly answer: RequestError;
  constructor(reason: string, answer: RequestError) {
    super(reason);
    this.name = 'LogInRefusal';
    this.reason = reason;
    this.answer = answer;
  }
}

type Request = Pick<ApiRequest, 'services' | 'address' | 'note'>;

/** A limit, and what a caller gets who has exceeded it. */
type Guard = { limit: FailureLimit; refusal: (seconds: number) => RequestError };

const LONGEST_WAIT_MS = 10_000;
const PAUSE_MS = 20;
const MOST_WAITING = 500;

// Those who wait for the same limit. Only the first in each line asks the database.
const lines = new Map<string, { length: number; inTurn: LimitFunction }>();

/**
 * Runs a log-in by an auth method within the limits on failures: of its address, and of its role id, if it has one. Each
 * method has limits of its own, so that those who wait for a cluster that hangs hold up nobody else. It counts as failed if it
 * throws LogInRefusal, whose answer is thrown then. It counts from its beginning, so that many at once are no more guesses
 * than one after the other; those for which there is no room wait for the outcome of the others, as they may all be good.
 * Throws 403 or 429 if there were too many failures, and 429 if the wait is too long.
 */
export async function limitFailures<Result>(
  request: Request,
  { id: methodId }: Pick<AuthMount, 'id'>,
  logIn: () => Promise<Result>,
  roleId?: string,
): Promise<Result> {
  const own = roleId === undefined ? undefined : roleIdGuard(request, `${roleId} of ${methodId}`);
  const begun: Guard[] = [];
  let outcome: LogInOutcome = 'uncounted';
  try {
    for (const guard of [...(own ? [own] : []), addressGuard(request, methodId)]) {
      await begin(request, guard);
      begun.push(guard);
    }
    const result = await logIn();
    outcome = 'forgiven';
    return result;
  } catch (error) {
    if (!(error instanceof LogInRefusal)) throw error;
    request.note({ reason: error.reason });
    outcome = 'failed';
    throw error.answer;
  } finally {
    // A success with one role id says nothing about the others from the address.
    for (const guard of begun)
      await end(request, guard, outcome === 'forgiven' && guard !== own ? 'uncounted' : outcome);
  }
}

function addressGuard({ address }: Request, methodId: number): Guard {
  return {
    limit: { name: `address ${limitedAddress(address)} at ${methodId}`, most: 20, seconds: 60 },
    refusal: (seconds) => tooMany('too many failed log-ins from this address', seconds),
  };
}

// By the role id alone, anybody could lock a machine out. The role may exist or not: the answer must not tell.
function roleIdGuard({ address, note }: Request, roleId: string): Guard {
  const what = 'too many failed log-ins with this role id from this address';
  return {
    limit: { name: `role id ${roleId} ${limitedAddress(address)}`, most: 5, seconds: 900 },
    refusal: (seconds) => {
      note({ reason: 'too many failures' });
      return permissionDenied(`${what}: try again in ${seconds} s`, { 'Retry-After': String(seconds) });
    },
  };
}

async function begin(request: Request, guard: Guard): Promise<void> {
  const { name } = guard.limit;
  const line = lines.get(name) ?? { length: 0, inTurn: pLimit(1) };
  if (line.length >= MOST_WAITING) throw tooManyAtOnce();
  lines.set(name, line);
  line.length += 1;
  const deadline = performance.now() + LONGEST_WAIT_MS;
  try {
    await line.inTurn(() => beginBefore(deadline, request, guard));
  } finally {
    line.length -= 1;
    if (line.length === 0) lines.delete(name);
  }
}

async function beginBefore(deadline: number, { services }: Request, guard: Guard): Promise<void> {
  for (;;) {
    const answer = await beginLogIn(services.db, services.installation.hashKey, guard.limit);
    if (answer.begun) return;
    if (answer.blockedSeconds > 0) throw guard.refusal(Math.ceil(answer.blockedSeconds));
    if (performance.now() > deadline) throw tooManyAtOnce();
    await setTimeout(PAUSE_MS);
  }
}

async function end({ services }: Request, { limit }: Guard, outcome: LogInOutcome): Promise<void> {
  const { db, installation, log } = services;
  try {
    await endLogIn(db, installation.hashKey, { limit, outcome });
  } catch (error) {
    if (outcome === 'failed') throw error;
    // What is not given back ends by itself.
    log.warn({ error }, 'a log-in that did not fail could not be taken off those that are open');
  }
}

function tooManyAtOnce(): RequestError {
  return tooMany('too many log-ins at once from this address', 1);
}

function tooMany(detail: string, seconds: number): RequestError {
  return new RequestError('rate_limited', [detail], { 'Retry-After': String(seconds) });
}
