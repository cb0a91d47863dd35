import type { Connector, ConnectorContext, EntryKey, Found } from '../../../libs/connector/contract.ts';
import { asObject, tryParseJson } from '../../../libs/connector/http/json.ts';
import { createFetch } from '../../../libs/egress/fetch.ts';
import { guardedAgent } from '../../../libs/egress/agent.ts';
import type { destination, LockboxSettings } from './destination.ts';
import { describeAnswer, failures } from './failures.ts';

type Call = (
  method: string,
  path: string,
  options: { signal: AbortSignal; body?: object; expected?: number[] },
) => Promise<{ status: number; data: Record<string, unknown> }>;

/** The verbs of a lockbox. Items have an owner, and a create fails if the name is taken. */
export const connector: Connector<(typeof destination)['settings']> = {
  open(settings, context) {
    const { call, close } = connect(settings, context);
    const owner = context.installation;
    const pathOf = (name: string) => `/items/${encodeURIComponent(name)}`;

    const read = async ({ name }: EntryKey, signal: AbortSignal): Promise<Found | null> => {
      const { status, data } = await call('GET', pathOf(name), { signal, expected: [200, 404] });
      if (status === 404) return null;
      const { value, owner: found, changed_at: changedAt } = data;
      return {
        owner: typeof found !== 'string' ? 'unmarked' : found === owner ? 'ours' : 'other',
        value: typeof value === 'string' ? value : null,
        changedAt: typeof changedAt === 'number' ? new Date(changedAt) : null,
        reference: null,
      };
    };

    return {
      async check(signal) {
        await call('GET', '', { signal });
      },

      read,
      findOwner: read,

      // The table of failures turns 409 for a create into `exists`, and 404 for a replace into `missing`.
      async put({ name, value, expect }, signal) {
        const method = expect === 'absent' ? 'POST' : 'PUT';
        await call(method, pathOf(name), { signal, body: { value, owner } });
        return { reference: null };
      },

      async retag({ name }, signal) {
        await call('PATCH', pathOf(name), { signal, body: { owner } });
        return { reference: null };
      },

      async remove({ name }, signal) {
        await call('DELETE', pathOf(name), { signal, expected: [200, 404] });
      },

      close,
    };
  },
};

// A caller chose the address, so the agent and its fetch are guarded: they go only there, and only to public addresses.
function connect(settings: LockboxSettings, context: ConnectorContext): { call: Call; close: () => void } {
  const baseUrl = new URL(settings.address).origin;
  const agent = openAgent(baseUrl, context);
  const send = createFetch({ baseUrl, agent, timeoutMs: context.callTimeoutMs });
  const headers = { authorization: `Bearer ${settings.access_key}`, 'content-type': 'application/json' };
  const call: Call = async (method, path, { signal, body, expected = [200] }) => {
    const url = `${baseUrl}/boxes/${settings.box}${path}`;
    const text = body && JSON.stringify(body);
    const response = await send(url, { method, headers, body: text, signal }).catch((error: unknown) => {
      throw failures.describeTransport(error) ?? error;
    });
    const data = tryParseJson(await response.text());
    const { status } = response;
    // A 404 without JSON is that of a proxy, and says nothing about the item.
    const needsJson = status === 404 || expected.includes(status);
    if (needsJson && data === undefined) throw failures.fail('unexpected_answer');
    if (!expected.includes(status)) throw describeAnswer(response, asObject(data)['problem'], settings.box);
    return { status, data: asObject(data) };
  };
  return { call, close: () => void agent.destroy() };
}

function openAgent(baseUrl: string, context: ConnectorContext) {
  try {
    return guardedAgent(baseUrl, context);
  } catch (error) {
    throw failures.describeTransport(error) ?? error;
  }
}
