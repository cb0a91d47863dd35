import { setTimeout } from 'node:timers/promises';
import { ConnectorError, hasCode } from '../../../libs/connector/errors.ts';
import type { JsonObject } from '../../../libs/connector/http/json.ts';
import { failures } from './failures.ts';

// GitHub's machines may take this long until all of them know a new token and its rights.
const SETTLING_MS = 5000;
const SETTLING_STEP_MS = 500;
// A token is renewed this long before it ends, or at half of its life if that is short.
const MARGIN_MS = 5 * 60_000;

type Token = { value: string; madeAt: number; goodUntil: number };

/** GitHub's answer with a new token; `date` is the time of the answer by GitHub's clock. */
type Issued = { data: JsonObject; date: string | undefined };

export type InstallationTokens = {
  /** Gets a new token, so that the app's present key is tried even while an earlier token is still good. */
  renew: (signal: AbortSignal) => Promise<void>;
  /** Makes a call with a token that is good. A token that was refused is replaced once. */
  use: <Result>(call: (token: string) => Promise<Result>, signal: AbortSignal) => Promise<Result>;
};

/** Keeps the token of an installation until shortly before it ends. Calls that need a new one share it. */
export function createInstallationTokens(
  issue: (signal: AbortSignal) => Promise<Issued>,
): InstallationTokens {
  let token: Token | undefined;
  let underWay: Promise<Token> | undefined;

  async function make(signal: AbortSignal): Promise<Token> {
    token = readToken(await issue(signal));
    return token;
  }

  // A caller that gives up must not end the shared call for the others: if it fails, each asks for itself.
  async function share(signal: AbortSignal): Promise<Token> {
    if (underWay) {
      const shared = await underWay.catch(() => undefined);
      return shared ?? make(signal);
    }
    underWay = make(signal).finally(() => (underWay = undefined));
    return underWay;
  }

  async function current(signal: AbortSignal, refused?: Token): Promise<Token> {
    return token && token !== refused && performance.now() < token.goodUntil ? token : share(signal);
  }

  return {
    async renew(signal) {
      await make(signal);
    },
    async use(call, signal) {
      let known = await current(signal);
      let isRenewed = false;
      for (;;) {
        try {
          return await call(known.value);
        } catch (error) {
          if (!isRefusal(error)) throw error;
          if (performance.now() < known.madeAt + SETTLING_MS) {
            await pause(signal);
          } else {
            if (isRenewed || !hasCode(error, 'credentials_refused')) throw error;
            isRenewed = true;
            known = await current(signal, known);
          }
        }
      }
    },
  };
}

async function pause(signal: AbortSignal): Promise<void> {
  try {
    await setTimeout(SETTLING_STEP_MS, undefined, { signal });
  } catch (error) {
    throw failures.describeTransport(error) ?? error;
  }
}

function isRefusal(error: unknown): error is ConnectorError {
  return hasCode(error, 'credentials_refused', 'permission_missing');
}

// The life of the token is told by GitHub's own clock, and ours may differ.
function readToken({ data, date }: Issued): Token {
  const { token: value, expires_at: expiresAt } = data;
  const end = typeof expiresAt === 'string' ? Date.parse(expiresAt) : Number.NaN;
  if (typeof value !== 'string' || value === '' || Number.isNaN(end))
    throw failures.fail('unexpected_answer');
  const answeredAt = Date.parse(date ?? '') || Date.now();
  const life = Math.max(0, end - answeredAt);
  const madeAt = performance.now();
  return { value, madeAt, goodUntil: madeAt + life - Math.min(MARGIN_MS, life / 2) };
}
