import { fileURLToPath } from 'node:url';
import workerpool from 'workerpool';
import { RequestError, unavailable } from '../../../../libs/errors/request-error.ts';
import { RefusedLogin } from '../refuse-login.ts';
import type { VerificationResult, Task, VerifiedXml } from './thread.ts';

// A thread needs some 40 MB. Two let a log-in pass one whose answer is costly.
const MOST_THREADS = 2;
const MOST_WAITING = 32;
// Fewer than may wait, so that one address cannot take the place of all others.
const MOST_OF_ADDRESS = 8;
const HEAP_MB = 256;
// With the wait for a thread. An answer at the limits takes about half a second.
const DEADLINE_MS = 10_000;

/** Verifies answers of the identity provider in threads of their own. Undo: `stop`. */
export type SamlVerifier = {
  /**
   * Throws the refusal of the answer, 429 if too many from the client's address wait, and 503 if too many wait at all or
   * the deadline passes.
   */
  verify: (task: Task, address: string) => Promise<VerifiedXml>;
  stop: () => Promise<void>;
};

/** The threads begin with the first log-ins. A thread that exceeds the deadline or its memory is replaced. */
export function createSamlVerifier({ deadlineMs = DEADLINE_MS } = {}): SamlVerifier {
  const pool = workerpool.pool(fileURLToPath(new URL('./thread.js', import.meta.url)), {
    workerType: 'thread',
    maxWorkers: MOST_THREADS,
    workerTerminateTimeout: 100,
    // A parser has no use for the secrets of the environment.
    workerThreadOpts: { env: {}, resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } },
  });
  const openOf = new Map<string, number>();
  const countFor = (address: string, change: number): number => {
    const count = (openOf.get(address) ?? 0) + change;
    if (count === 0) openOf.delete(address);
    else openOf.set(address, count);
    return count;
  };
  const verify = async (task: Task): Promise<VerifiedXml> => {
    if (pool.stats().pendingTasks >= MOST_WAITING) throw unavailable('too many log-ins wait', 1);
    const work = pool.exec('verify', [task]);
    const timer = setTimeout(() => void work.cancel(), deadlineMs);
    try {
      return readFinding((await work) as VerificationResult);
    } catch (error) {
      if (!isEndOfThread(error)) throw error;
      throw unavailable("the identity provider's answer could not be verified in time");
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    verify: async (task, address) => {
      try {
        if (countFor(address, 1) > MOST_OF_ADDRESS) throw tooManyOfAddress();
        return await verify(task);
      } finally {
        countFor(address, -1);
      }
    },
    stop: async () => {
      await pool.terminate(true);
    },
  };
}

function tooManyOfAddress(): RequestError {
  const detail = `more than ${MOST_OF_ADDRESS} log-ins of this address wait`;
  return new RequestError('rate_limited', [detail], { 'Retry-After': '1' });
}

function readFinding(finding: VerificationResult): VerifiedXml {
  if ('verified' in finding) return finding.verified;
  const { code, detail, ...about } = finding.refusal;
  throw code === 'saml_refused' ? new RefusedLogin(detail, about) : new RequestError(code, [detail]);
}

// Cancelled at the deadline, or ended by its limit on memory.
function isEndOfThread(error: unknown): boolean {
  return error instanceof workerpool.Promise.CancellationError || error instanceof workerpool.TerminateError;
}
