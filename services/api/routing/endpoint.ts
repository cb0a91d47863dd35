import type { Readable } from 'node:stream';
import type { Static, TSchema } from 'typebox';
import type { WebSocket } from 'ws';
import type { AuditSecret, AuditWho } from '../../../libs/store/audit/events.ts';
import type { AuthAnswer, WrapInfoAnswer } from '../contract/tokens.ts';
import type { Namespace } from '../../../libs/store/access/namespaces.ts';
import type { AuthMount } from '../../../libs/store/auth/mounts.ts';
import type { Mount } from '../../../libs/store/secrets/mounts.ts';
import type { Browser } from '../access/browser.ts';
import type { Caller } from '../access/caller.ts';
import type { Capability } from '../access/policy.ts';
import type { ApiServices } from '../services.ts';
import type { AtOnce } from './at-once.ts';

export type RequestMount = { mount: Mount; rest: string };

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'LIST';

/**
 * Who may call:
 * - `public`: anybody; `caller` is absent.
 * - `token`: any valid token; the handler shows only what the caller may see.
 * - `policy`: the caller's policies must give the capability of the method on the request's path.
 * - `sudo`: that, and `sudo` as well.
 */
export type Access = 'public' | 'token' | 'policy' | 'sudo';

/** `action`: what was done to the secret, or what was refused; `refusal` says why. */
export type AuditedSecret = AuditSecret & {
  action: string;
  detail: Record<string, unknown> | null;
  isRefused: boolean;
};

/** A request after authentication, authorisation and validation. */
export type ApiRequest<Body = unknown, Query = unknown> = {
  services: ApiServices;
  /** The namespace the request is about. */
  namespace: Namespace;
  caller: Caller;
  /** Whether the caller's policies give a capability on another path of the request's namespace, or of one below it. */
  may: (path: string, capability: Capability, below?: Namespace) => boolean;
  params: Record<string, string>;
  query: Query;
  body: Body;
  /** The body as it was sent, for values that must keep every digit. */
  rawBody: string;
  header: (name: string) => string;
  /** The client's address: the one that our own proxies vouch for. */
  address: string;
  browser: () => Browser;
  /** The canonical path, decoded, without `/v1` and without slashes at its ends. */
  path: string;
  /** The KV mount the path lies in, and the path within it; only for the KV endpoints. */
  mount: RequestMount | undefined;
  /** The auth method that the path lies in; only for the endpoints of auth methods. */
  authMount: AuthMount | undefined;
  /** Adds a warning that the caller sees beside the answer. */
  warn: (warning: string) => void;
  requestId: string;
  /** Adds names to the audit entry of the request, whatever becomes of it; never a value. */
  note: (names: Record<string, unknown>) => void;
  /** Tells the audit entry which secret the request is about, if its path does not. */
  noteSecret: (secret: AuditSecret) => void;
  /** The same for the secrets of a request about many. */
  noteSecrets: (secrets: AuditedSecret[]) => void;
  /**
   * For a log-in: who the caller turned out to be. Resolves when the audit entry is durable; only then may anything
   * change.
   */
  identified: (who: AuditWho) => Promise<void>;
  /** Whether the answer may be a WebSocket. */
  isUpgrade: boolean;
  /** For how many seconds the wrapped answer can be fetched; undefined if the caller did not ask for one. */
  wrapSeconds: number | undefined;
};

/** What a handler answers. The dialect wraps `data`; `plain` is sent as it is. With neither there is no body. */
export type Reply<Data = unknown> = {
  status: number;
  data?: Data;
  /** A token that was made or renewed, beside the data of the secrets dialect. */
  auth?: AuthAnswer;
  /** The numbers in `data` keep all their digits. */
  keepsDigits?: boolean;
  /** How to fetch the answer, if it is kept instead of sent. */
  wrapInfo?: WrapInfoAnswer;
  plain?: { type: string; body: string | Buffer | Readable };
  headers?: Record<string, string | string[]>;
  /**
   * Takes the connection as a WebSocket instead of an answer; `take` returns undefined if the client is gone. Until it is called,
   * a RequestError is still a refusal.
   */
  accept?: (take: () => WebSocket | undefined) => void;
};

/** What a row answers with one status. With none of the parts, the body is empty. */
export type AnswerSchema = {
  /** `data` of the envelope; in site administration, the whole document. */
  data?: TSchema;
  /** Whether the envelope has a token that was made or renewed. */
  grants?: true | 'maybe';
  /** The envelope has nothing but the token that fetches the answer. */
  wraps?: true;
  /** JSON without an envelope. */
  body?: TSchema;
  /** Media types of answers that are not JSON. */
  types?: string[];
};

export type Endpoint = {
  method: Method;
  /** As @koa/router writes it: `:name` one segment, `*name` the rest. */
  path: string;
  access: Access;
  summary: string;
  query?: TSchema;
  body?: TSchema;
  /** What the OpenAPI document shows for a body that the handler checks itself. */
  describedBody?: TSchema;
  /**
   * What the row answers, by status. Refusals are only there if they have content of their own. The OpenAPI document
   * shows these schemas, and the tests hold every answer against them.
   */
  answers: Answers;
  /** Other methods that are the same call. */
  alsoMethods?: Method[];
  /** The most bytes of its body. Absent: 64 KiB where anybody may call, otherwise 1 MiB. */
  bodyBytes?: number;
  /** How many of these calls may be under way. Absent: any number. */
  atOnce?: AtOnce;
  /** A read whose answer holds values of secrets. It leaves an audit entry, unless `AUDIT_READS` is off. */
  readsSecrets?: boolean;
  /** A log-in: a token that the request shows is ignored, and the answer may be wrapped. */
  isLogIn?: boolean;
  /** Whether a read with this query leaves an audit entry, although it reads no secret. */
  isAuditedRead?: (query: Record<string, unknown>) => boolean;
  /** No method of the row changes anything, so it leaves no audit entry. A refused one is counted. */
  changesNothing?: boolean;
  /** For a row that gives rights: what the audit entry of a caller without the right to call it tells of the body; no value. */
  asked?: (request: ApiRequest) => object | Promise<object>;
  /** The rest of the path, `*path`, names a secret: its mount and its path. */
  isOfSecret?: boolean;
  /** A write that takes `If-Match`, and answers 412 if the thing has changed since. */
  isConditional?: boolean;
  /** The same for `If-None-Match`. */
  takesIfNoneMatch?: boolean;
  /**
   * For a write: whether the thing exists, which decides between `create` and `update`. Absent: either capability is
   * enough.
   */
  exists?: (request: ApiRequest) => Promise<boolean>;
  handle: (request: ApiRequest) => Promise<Reply>;
};

type Answers = Record<number, AnswerSchema>;

type EndpointOf<Body extends TSchema, Query extends TSchema, Given extends Answers> = Omit<
  Endpoint,
  'handle' | 'body' | 'query' | 'answers' | 'asked'
> & {
  body?: Body;
  query?: Query;
  answers: Given;
  asked?: (request: ApiRequest<Static<Body>, Static<Query>>) => object | Promise<object>;
  handle: (request: ApiRequest<Static<Body>, Static<Query>>) => Promise<Reply<DataOf<Given>>>;
};

// What any of the answers has as data; an answer that is kept may have anything.
type DataOf<Given extends Answers> = {
  [Status in keyof Given]: Given[Status] extends { data: infer Schema extends TSchema }
    ? Static<Schema>
    : Given[Status] extends { wraps: true }
      ? unknown
      : never;
}[keyof Given];

/** A row of an endpoint table whose handler is typed by its own schemas: what it takes, and what it answers. */
export function endpoint<
  Given extends Answers,
  Body extends TSchema = TSchema,
  Query extends TSchema = TSchema,
>(row: EndpointOf<Body, Query, Given>): Endpoint {
  return row as unknown as Endpoint;
}

/** `exists` of a write on something that already exists: the capability `create` alone does not allow it. */
export function isThere(): Promise<boolean> {
  return Promise.resolve(true);
}

/** 200 with data. */
export function ok<Data>(data: Data): Reply<Data> {
  return { status: 200, data };
}

/** 204, empty. */
export function noContent(): Reply<never> {
  return { status: 204 };
}
