import { authAnswer, wrapInfoAnswer } from '../contract/tokens.ts';
import { answerOf, type Example } from './example.ts';
import type { DocumentedRow } from './rows.ts';
import { documentSchema, type JsonSchema } from './schemas.ts';

export type DialectName = DocumentedRow['dialect'];

/** The media type of each dialect's answers. */
export const MEDIA_TYPE: Record<DialectName, string> = {
  secrets: 'application/json',
  admin: 'application/vnd.api+json',
};

const MEANING: Record<number, string> = {
  400: 'The request is invalid. The answer names every fault.',
  401: 'The token is missing, unknown, expired or revoked, or a log-in was refused.',
  403: 'The token is missing, or it does not allow the call. The answer does not say which.',
  404: 'Not found. In site administration also: the token does not allow the call.',
  405: 'The path does not support the method.',
  409: 'The change conflicts with something that exists, or with a change made at the same time.',
  412: 'The object was changed since it was read (`If-Match`), or it exists already (`If-None-Match: *`). Nothing was changed. `ETag` has the current revision, if the object has one.',
  413: 'The body is too large.',
  415: 'The call does not accept this content type or encoding.',
  422: 'The document is well-formed, but attributes are invalid. The answer names each of them.',
  429: 'The client is above its rate limit.',
  500: 'An unexpected error. The log has the details under the request id.',
  503: 'A part of the service is down: no worker accepts the command, or the database cannot be reached. Nothing was changed, unless the text says that the change may have been made. In that case, read the object before you send the change again.',
  504: 'An external server did not answer in time.',
};

const WITH_ETAG = 412;
const WITH_RETRY = new Set([429, 503]);

const envelope = {
  type: 'object',
  required: [
    'request_id',
    'lease_id',
    'renewable',
    'lease_duration',
    'data',
    'wrap_info',
    'warnings',
    'auth',
    'mount_type',
  ],
  properties: {
    request_id: { type: 'string', description: 'The id of the request, also in X-Request-Id.' },
    lease_id: { type: 'string' },
    renewable: { type: 'boolean' },
    lease_duration: { type: 'integer' },
    data: { description: 'The result.' },
    wrap_info: {
      description:
        'The token that fetches the answer once, if the caller asked for wrapping (X-Vault-Wrap-TTL). `data` and `auth` are null then.',
      anyOf: [{ $ref: '#/components/schemas/WrapInfo' }, { type: 'null' }],
    },
    warnings: { type: ['array', 'null'], items: { type: 'string' } },
    auth: {
      description: 'The token that was created or renewed.',
      anyOf: [{ $ref: '#/components/schemas/Auth' }, { type: 'null' }],
    },
    mount_type: { type: 'string', enum: ['kv', 'system'] },
  },
};

const schemas: Record<string, JsonSchema> = {
  Envelope: { ...envelope, additionalProperties: false },
  EnvelopeWithCopy: {
    ...envelope,
    description: 'The envelope; older clients also find each key of an object in `data` beside it.',
  },
  WrapInfo: documentSchema(wrapInfoAnswer),
  Auth: documentSchema(authAnswer),
  SecretsError: {
    type: 'object',
    required: ['errors'],
    additionalProperties: false,
    properties: { errors: { type: 'array', items: { type: 'string' } } },
  },
  AdminError: {
    type: 'object',
    required: ['errors'],
    additionalProperties: false,
    properties: {
      errors: {
        type: 'array',
        items: {
          type: 'object',
          required: ['status', 'title'],
          additionalProperties: false,
          properties: {
            status: { type: 'string' },
            title: { type: 'string' },
            detail: { type: 'string' },
            source: {
              type: 'object',
              additionalProperties: false,
              properties: {
                pointer: { type: 'string', description: 'JSON pointer to the faulty part of the body.' },
                parameter: { type: 'string', description: 'Name of the faulty query parameter.' },
              },
            },
          },
        },
      },
    },
  },
};

/** The name of the schema of a dialect's refusals. */
export function refusalSchema(dialect: DialectName): string {
  return dialect === 'admin' ? 'AdminError' : 'SecretsError';
}

/** The name of a refusal in the components. A person in a browser gets that of single sign-on as a page. */
export function refusalName(dialect: DialectName, status: number, path: string): string {
  return `${dialect}${path.startsWith('/users/') ? 'Page' : ''}${status}`;
}

/** The components that operations refer to. `refusals` are the examples of errors; `paths` decides which are needed. */
export function components(refusals: (Example & { dialect: DialectName })[], paths: JsonSchema): JsonSchema {
  return {
    schemas,
    responses: describeRefusals(refusals, JSON.stringify(paths)),
    headers: {
      RequestId: { description: 'The id of the request. The log has it too.', schema: { type: 'string' } },
      Allow: { description: 'The methods that the path supports.', schema: { type: 'string' } },
      ETag: {
        description: 'The revision in quotes. Send it in `If-Match`.',
        schema: { type: 'string' },
      },
      RetryAfter: { description: 'Seconds to wait before the next try.', schema: { type: 'integer' } },
    },
    parameters: {
      Namespace: {
        name: 'X-Namespace',
        in: 'header',
        description:
          'Path of the namespace. X-Vault-Namespace means the same; two different ones are refused. Default: the root namespace.',
        schema: { type: 'string' },
      },
      IfMatch: {
        name: 'If-Match',
        in: 'header',
        description:
          'The `ETag` that the caller read. If the object was changed since then, the answer is 412. `*`: the object must exist.',
        schema: { type: 'string' },
      },
      IfNoneMatch: {
        name: 'If-None-Match',
        in: 'header',
        description: '`*`: if the object already exists, the answer is 412 and nothing is changed.',
        schema: { type: 'string' },
      },
      WrapTtl: {
        name: 'X-Vault-Wrap-TTL',
        in: 'header',
        description:
          'Keep the answer for this time: seconds, or a duration such as 5m. `wrap_info` then holds a token that fetches the answer once, with `sys/wrapping/unwrap`.',
        schema: { type: 'string' },
      },
    },
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', description: '`Authorization: Bearer <token>`' },
      token: { type: 'apiKey', in: 'header', name: 'X-Vault-Token' },
    },
  };
}

function describeRefusals(refusals: (Example & { dialect: DialectName })[], written: string): JsonSchema {
  const responses = (['secrets', 'admin'] as const).flatMap((dialect) =>
    Object.keys(MEANING).map((text) => {
      const status = Number(text);
      const examples = refusals.filter((one) => one.dialect === dialect && one.status === status);
      return [`${dialect}${status}`, refusal(dialect, status, examples)] as const;
    }),
  );
  const pages = responses.map(([name, response]) => {
    const content = { ...response.content, 'text/html': { schema: { type: 'string' } } };
    return [name.replace('secrets', 'secretsPage'), { ...response, content }] as const;
  });
  const all: (readonly [string, JsonSchema])[] = [...responses, ...pages];
  return Object.fromEntries(all.filter(([name]) => written.includes(`/responses/${name}"`)));
}

function refusal(dialect: DialectName, status: number, examples: Example[]) {
  const shown = examples.map((example) => [example.name, { value: answerOf(example) }]);
  const schema = { $ref: `#/components/schemas/${refusalSchema(dialect)}` };
  return {
    description: MEANING[status],
    headers: {
      'X-Request-Id': { $ref: '#/components/headers/RequestId' },
      ...(status === 405 ? { Allow: { $ref: '#/components/headers/Allow' } } : {}),
      ...(status === WITH_ETAG ? { ETag: { $ref: '#/components/headers/ETag' } } : {}),
      ...(WITH_RETRY.has(status) ? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } : {}),
    },
    content: {
      [MEDIA_TYPE[dialect]]: {
        schema,
        ...(shown.length > 0 ? { examples: Object.fromEntries(shown) } : {}),
      },
    },
  };
}
