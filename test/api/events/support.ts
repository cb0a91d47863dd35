import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { EventMessage } from '../../../services/api/events/message.ts';
import { eventually } from '../../support/eventually.ts';
import type { Sealift } from '../../support/sealift.ts';

/** One subscriber. */
export type Follower = {
  socket: WebSocket;
  /** The next events, once so many came. */
  take: (count: number) => Promise<EventMessage[]>;
  /** Events that came and were not taken. */
  left: () => number;
  /** The close code, with the time from now until it came. */
  ended: (limitMs?: number) => Promise<{ code: number; reason: string }>;
  close: () => Promise<void>;
};

export type FollowOptions = {
  token?: string;
  namespace?: string;
  query?: string;
  headers?: Record<string, string>;
  url?: string;
};

/** Subscribes to types of events. Throws `<status> <body>` if it is refused. */
export async function follow(
  sealift: Sealift,
  types: string,
  options: FollowOptions = {},
): Promise<Follower> {
  const base = (options.url ?? sealift.url).replace(/^http/, 'ws');
  const query = options.query ?? 'json=true';
  const socket = new WebSocket(`${base}/v1/sys/events/subscribe/${types}?${query}`, {
    headers: {
      'x-vault-token': options.token ?? sealift.token,
      ...(options.namespace === undefined ? {} : { 'x-vault-namespace': options.namespace }),
      ...options.headers,
    },
  });
  const events: EventMessage[] = [];
  let end: { code: number; reason: string } | undefined;
  socket.on('message', (data) => events.push(JSON.parse((data as Buffer).toString()) as EventMessage));
  socket.on('close', (code, reason) => {
    end = { code, reason: reason.toString() };
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
    socket.once('unexpected-response', (_request, response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () => reject(new Error(`${response.statusCode} ${body}`)));
    });
  });
  socket.on('error', () => undefined);
  return {
    socket,
    take: (count) =>
      eventually(() => {
        if (events.length < count) throw new Error(`${events.length} of ${count} events came`);
        return events.splice(0, count);
      }),
    left: () => events.length,
    ended: async (limitMs = 10_000) => {
      const found = await eventually(() => end, { limitMs });
      return found ?? { code: 0, reason: '' };
    },
    close: async () => {
      if (socket.readyState === WebSocket.CLOSED) return;
      const closed = once(socket, 'close');
      socket.close();
      await closed;
    },
  };
}

/** The refusal of a subscription. */
export async function refusal(sealift: Sealift, types: string, options: FollowOptions = {}): Promise<string> {
  try {
    const follower = await follow(sealift, types, options);
    await follower.close();
    return 'open';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Waits until the processes of the followers hear of events, and takes all that were sent for that. */
export async function untilHeard(sealift: Sealift, ...followers: Follower[]): Promise<void> {
  const write = (path: string) => sealift.client.post(`/v1/secret/data/${path}`, { data: { a: 'b' } });
  for (const follower of followers)
    await eventually(async () => {
      await write('heard');
      await new Promise((resolve) => setTimeout(resolve, 50));
      return follower.left() > 0;
    });
  await write('heard-last');
  for (const follower of followers)
    for (let path = ''; path !== 'secret/data/heard-last';) {
      const [message] = await follower.take(1);
      path = message?.data.event.metadata['path'] ?? '';
    }
}

/** A token with one policy. */
export async function tokenFor(sealift: Sealift, name: string, paths: object): Promise<string> {
  await sealift.client.post(`/v1/sys/policies/acl/${name}`, { policy: JSON.stringify({ path: paths }) });
  const made = await sealift.client.post('/v1/auth/token/create', { policies: [name] });
  return String(made.body.auth.client_token);
}

/** What a subscriber needs: the right to subscribe, and rights on the data of secrets. */
export const FOLLOWER = {
  'sys/events/subscribe/*': { capabilities: ['read'] },
  'secret/data/app/*': { capabilities: ['read', 'subscribe'], subscribe_event_types: ['kv-v2/*'] },
};
