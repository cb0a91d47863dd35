import { answerOf, type Example } from './example.ts';
import type { DocumentedRow } from './rows.ts';
import type { JsonSchema } from './schemas.ts';

export type DialectName = DocumentedRow['dialect'];

/** The media type of each dialect's answers. */
export const MEDIA_TYPE: Record<DialectName, string> = {
  secrets: 'application/json',
  admin: 'application/vnd.api+json',
};

const MEANING: Record<number, string> = {
  400: 'The request is wrong; every fault is named.',
  401: 'The token is missing, unknown, expired or revoked; or a log-in was refused.',
  403: 'The token is missing or gives no right to this; which of them is not told.',
  404: 'There is no such thing. For site administration also: the token gives no right to it.',
  405: 'The path does not know the method.',
  409: 'It is in the way of something else, or something else changed it meanwhile.',
  412: 'It was changed since it was read (`If-Match`), or is there already (`If-None-Match: *`); `ETag` has the present revision. Nothing was changed.',
  413: 'The body is too large.',
  415: 'The content type or encoding is not one the call takes.',
  422: 'The document is well-formed and means nothing; every failing attribute is named.',
  429: 'The client is above its rate limit.',
  500: 'Something unforeseen; the log has the details under the request id.',
  503: 'A part of the service is down: no worker takes the command, or the database is away. Nothing was done, unless the text says that the change may have been made: then read it before sending it again.',
  504: 'The server outside did not answer in time.',
};

const WITH_ETAG = 412;
const WITH_RETRY = new Set([429, 503]);

const schemas = {
  Envelope: {
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
    ],
    properties: {
      request_id: { type: 'string', description: 'The id of the request, also in X-Request-Id.' },
      lease_id: { type: 'string' },
      renewable: { type: 'boolean' },
      lease_duration: { type: 'integer' },
      data: { description: 'What was asked for.' },
      wrap_info: {
        type: ['object', 'null'],
        description: 'What fetches the answer, once, where the caller asked for that (X-Vault-Wrap-TTL).',
      },
      warnings: { type: ['array', 'null'], items: { type: 'string' } },
      auth: { type: ['object', 'null'], description: 'A token that was made or renewed.' },
      mount_type: { type: 'string' },
    },
  },
  SecretsError: {
    type: 'object',
    required: ['errors'],
    properties: { errors: { type: 'array', items: { type: 'string' } } },
  },
  AdminError: {
    type: 'object',
    required: ['errors'],
    properties: {
      errors: {
        type: 'array',
        items: {
          type: 'object',
          required: ['status', 'title'],
          properties: {
            status: { type: 'string' },
            title: { type: 'string' },
            detail: { type: 'string' },
            source: {
              type: 'object',
              properties: {
                pointer: { type: 'string', description: 'Where in the body: a JSON pointer.' },
                parameter: { type: 'string', description: 'Which parameter of the query.' },
              },
            },
          },
        },
      },
    },
  },
};

/** The name of a refusal in the components. */
export function refusalName(dialect: DialectName, status: number): string {
  return `${dialect}${status}`;
}

/** The components that operations refer to; `refusals` are the examples of errors. */
export function components(refusals: (Example & { dialect: DialectName })[]): JsonSchema {
  const responses = (['secrets', 'admin'] as const).flatMap((dialect) =>
    Object.keys(MEANING).map((text) => {
      const status = Number(text);
      const examples = refusals.filter((one) => one.dialect === dialect && one.status === status);
      return [refusalName(dialect, status), refusal(dialect, status, examples)];
    }),
  );
  return {
    schemas,
    responses: Object.fromEntries(responses),
    headers: {
      RequestId: { description: 'The id of the request; the log has it too.', schema: { type: 'string' } },
      Allow: { description: 'The methods that the path knows.', schema: { type: 'string' } },
      ETag: {
        description: 'The revision in quotes; `If-Match` takes it.',
        schema: { type: 'string' },
      },
      RetryAfter: { description: 'Seconds to wait before another try.', schema: { type: 'integer' } },
    },
    parameters: {
      Namespace: {
        name: 'X-Namespace',
        in: 'header',
        description: 'The path of the namespace; X-Vault-Namespace is the same. Absent: the root namespace.',
        schema: { type: 'string' },
      },
      IfMatch: {
        name: 'If-Match',
        in: 'header',
        description:
          'The `ETag` of the state that the change is for: refused with 412 where somebody changed it since. `*`: it must be there.',
        schema: { type: 'string' },
      },
      WrapTtl: {
        name: 'X-Vault-Wrap-TTL',
        in: 'header',
        description:
          'Seconds, or a duration such as 5m. The answer is kept so long, and `wrap_info` holds the token that fetches it, once, by `sys/wrapping/unwrap`.',
        schema: { type: 'string' },
      },
    },
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', description: '`Authorization: Bearer <token>`' },
      token: { type: 'apiKey', in: 'header', name: 'X-Vault-Token' },
    },
  };
}

function refusal(dialect: DialectName, status: number, examples: Example[]): JsonSchema {
  const shown = examples.map((example) => [example.name, { value: answerOf(example) }]);
  const schema = { $ref: `#/components/schemas/${dialect === 'admin' ? 'AdminError' : 'SecretsError'}` };
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
