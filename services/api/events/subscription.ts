import type { WebSocket } from 'ws';
import type { Namespace } from '../../../libs/store/access/namespaces.ts';
import { matchesGlob } from '../../../libs/validation/glob.ts';
import { grantOf, type Caller } from '../access/caller.ts';
import type { Filter } from './filter/parse.ts';
import type { KvEvent } from './message.ts';

/** What a subscriber asked for. */
export type Wanted = {
  /** The types of events; `*` stands for any letters. */
  types: string;
  /** The namespace of the request, whose events are always wanted. */
  namespace: Namespace;
  /** Patterns of whole paths of further namespaces. */
  namespaces: string[];
  filter: Filter | undefined;
  /** The path of the request, on which the right to subscribe is needed as long as it lasts. */
  path: string;
  address: string;
  requestId: string;
};

/** Why a subscription ended, by the close code of its WebSocket. */
export const ENDS = {
  stopping: { code: 1001, reason: 'the server is stopping: subscribe again' },
  rightLost: { code: 1008, reason: 'permission denied' },
  talkative: { code: 1008, reason: 'too many messages: a subscriber sends none' },
  slow: { code: 1013, reason: 'events were read too slowly: subscribe again' },
} as const;

// Some hundred events, beyond what the system itself keeps for the connection.
const MOST_UNREAD_BYTES = 64 * 1024;
// Messages and pings from one ping of ours to the next.
const MOST_RECEIVED = 100;
// A slow reader has this long to read why.
const END_LIMIT_MS = 10_000;
// The look-ups of rights come more often. What was looked up longer ago counts no more.
const RIGHTS_LAST_MS = 9000;

/** One subscriber: what it wants, its rights, and its WebSocket. */
export class Subscription {
  readonly wanted: Wanted;
  readonly #socket: WebSocket;
  #caller: Caller;
  #lookedUpAt = performance.now();
  #answersPings = true;
  #received = 0;
  #ending: string | undefined;
  sent = 0;

  /** `ended` is called once, with the code of the end. */
  constructor(wanted: Wanted, caller: Caller, socket: WebSocket, ended: (code: number) => void) {
    this.wanted = wanted;
    this.#caller = caller;
    this.#socket = socket;
    socket.on('close', ended);
    // The end follows, and says the same.
    socket.on('error', () => undefined);
    socket.on('pong', () => {
      this.#answersPings = true;
    });
    for (const kind of ['message', 'ping']) socket.on(kind, () => this.#receive());
  }

  get accessor(): string {
    return this.#caller.token.accessor;
  }

  /** The rights as they are now. */
  renew(caller: Caller): void {
    this.#caller = caller;
    this.#lookedUpAt = performance.now();
  }

  /** Whether the subscriber asked for the event, and may know of it. */
  wants({ namespace, path, message }: KvEvent): boolean {
    const { types, filter, ...wanted } = this.wanted;
    const { event, event_type: type, plugin_info: plugin, namespace: place = '' } = message.data;
    if (this.#ending !== undefined || !matchesGlob(types, type)) return false;
    if (
      namespace.path !== wanted.namespace.path &&
      !wanted.namespaces.some((pattern) => matchesGlob(pattern, namespace.path))
    )
      return false;
    const { operation = '', data_path = '', path: requestPath = '' } = event.metadata;
    const about = { event_type: type, operation, data_path, path: requestPath, namespace: place };
    if (filter && !filter({ ...about, source_plugin_mount: plugin.mount_path })) return false;
    return this.#mayReceive(namespace, path, type);
  }

  /** Sends an event, or cuts the subscriber off if it does not read. */
  send(text: string): void {
    if (this.#socket.bufferedAmount > MOST_UNREAD_BYTES) return this.end('slow');
    this.#socket.send(text);
    this.sent += 1;
  }

  /** Asks whether the peer is still there, and ends a connection whose peer has not answered since the last time. */
  ping(): void {
    if (!this.#answersPings) return this.#socket.terminate();
    this.#answersPings = false;
    this.#received = 0;
    this.#socket.ping();
  }

  /** Says why it ends. A peer that does not answer that is cut off. */
  end(why: keyof typeof ENDS): void {
    if (this.#ending !== undefined) return;
    this.#ending = why;
    const { code, reason } = ENDS[why];
    this.#socket.close(code, reason);
    setTimeout(() => this.#socket.terminate(), END_LIMIT_MS).unref();
  }

  cut(): void {
    this.#socket.terminate();
  }

  // Each answer to a ping waits for its reader as an event does.
  #receive(): void {
    this.#received += 1;
    if (this.#received > MOST_RECEIVED) this.end('talkative');
  }

  #mayReceive(namespace: Namespace, path: string, type: string): boolean {
    const { ends_at: endsAt } = this.#caller.token;
    if (performance.now() - this.#lookedUpAt > RIGHTS_LAST_MS) return false;
    if (endsAt !== null && endsAt.getTime() <= Date.now()) return false;
    const { capabilities, subscribe_event_types: types = [] } = grantOf(this.#caller, namespace, path);
    return (
      capabilities.has('subscribe') &&
      capabilities.has('read') &&
      types.some((glob) => matchesGlob(glob, type))
    );
  }
}
