import { createFetch, type FetchInit } from './fetch.ts';
import type { EgressRules } from './guard.ts';

/** `ca`: the certificates to trust instead of the usual ones; absent or empty: these. `timeoutMs`: for the whole call. */
type Means = Pick<EgressRules, 'egressAllow'> & { ca?: string; timeoutMs: number };

/**
 * Makes one call to a URL that a caller chose, over a connection of its own that `guardedAgent` checks. The client of HTTP is
 * loaded by the first call: a process that calls nobody does without its megabyte.
 */
export async function fetchOnce(
  url: string,
  init: FetchInit,
  { egressAllow, ca = '', timeoutMs }: Means,
): Promise<{ status: number; text: string }> {
  const { guardedAgent } = await import('./agent.ts');
  const options = { maxSockets: 1, ...(ca === '' ? {} : { ca: [ca] }) };
  const agent = guardedAgent(url, { egressAllow }, options);
  try {
    const answer = await createFetch({ baseUrl: url, agent, timeoutMs })(url, init);
    return { status: answer.status, text: await answer.text() };
  } finally {
    void agent.destroy();
  }
}
