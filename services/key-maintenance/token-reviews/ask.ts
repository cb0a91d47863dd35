import type { ReviewResult } from '../../../libs/commands/key-maintenance-commands.ts';
import { guardedAgent } from '../../../libs/egress/agent.ts';
import { createFetch } from '../../../libs/egress/fetch.ts';
import { EgressError } from '../../../libs/egress/guard.ts';
import { isJsonObject } from '../../../libs/validation/lossless.ts';
import { parseJson } from '../../../libs/validation/parse-json.ts';

const LIMIT_MS = 5000;
const LONGEST = 256 * 1024;
const LONGEST_TEXT = 1000;
const PATH = '/apis/authentication.k8s.io/v1/tokenreviews';

/** No answer came of a review. The message is a sentence that may be stored; it holds nothing that was sent or received. */
export class ReviewError extends Error {
  readonly outcome: Exclude<ReviewResult['outcome'], 'authenticated'>;
  constructor(outcome: ReviewError['outcome'], message: string) {
    super(message);
    this.name = 'ReviewError';
    this.outcome = outcome;
  }
}

/** An API server, and what may be called. `ca`: certificates to trust instead of the usual ones; empty: these. */
export type AskedCluster = { host: string; ca: string; egressAllow: string[] };

type Question = { bearer: string; token: string; audiences: string[] };

/** Asks for a review of a token (`TokenReview`, `authentication.k8s.io/v1`). Throws ReviewError. */
export async function askCluster(cluster: AskedCluster, question: Question): Promise<ReviewResult> {
  const { status, text } = await post(cluster, question).catch((error: unknown) => {
    throw new ReviewError('unavailable', describeFault(error));
  });
  if (status === 401 && question.bearer === question.token)
    throw new ReviewError('refused', 'the cluster does not accept the token');
  if (status === 401)
    throw new ReviewError('reviewer_refused', 'the cluster does not accept the token of the reviewer');
  if (status === 403)
    throw new ReviewError(
      'reviewer_refused',
      'the cluster does not let the reviewer ask: bind its service account to system:auth-delegator',
    );
  if (status !== 200 && status !== 201)
    throw new ReviewError('unavailable', `the API server of the cluster answered with status ${status}`);
  return readReview(text);
}

function readReview(text: string): ReviewResult {
  const { status } = parsed(text);
  if (!isJsonObject(status))
    throw new ReviewError('unavailable', 'the API server of the cluster answered with no review');
  const { user, authenticated, audiences } = status;
  if (authenticated !== true || status['error'])
    throw new ReviewError('refused', 'the cluster does not accept the token');
  const { username, uid } = isJsonObject(user) ? user : {};
  return {
    outcome: 'authenticated',
    detail: '',
    username: textOf(username),
    uid: textOf(uid),
    audiences: Array.isArray(audiences) ? audiences.map(textOf) : [],
  };
}

function parsed(text: string): Record<string, unknown> {
  try {
    const found: unknown = text.length > LONGEST ? undefined : parseJson(text);
    return isJsonObject(found) ? found : {};
  } catch {
    return {};
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' && value.length <= LONGEST_TEXT ? value : '';
}

async function post(
  { host, ca, egressAllow }: AskedCluster,
  { bearer, token, audiences }: Question,
): Promise<{ status: number; text: string }> {
  const url = `${host.replace(/\/+$/, '')}${PATH}`;
  const options = { maxSockets: 1, ...(ca === '' ? {} : { ca: [ca] }) };
  const agent = guardedAgent(url, { egressAllow }, options);
  const spec = { token, ...(audiences.length > 0 ? { audiences } : {}) };
  try {
    const call = createFetch({ baseUrl: url, agent, timeoutMs: LIMIT_MS });
    const answer = await call(url, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${bearer}`,
        'content-type': 'application/json',
        'user-agent': 'sealift',
      },
      body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec }),
    });
    return { status: answer.status, text: await answer.text() };
  } finally {
    void agent.destroy();
  }
}

// The text of an error may hold what was received; its code does not.
function describeFault(error: unknown): string {
  if (error instanceof EgressError) return `the cluster was not called: ${error.message}`;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return `the API server of the cluster cannot be reached (${/^\w{1,60}$/.test(code) ? code : 'unknown'})`;
}
