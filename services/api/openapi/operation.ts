import type { Method } from '../routing/endpoint.ts';
import { MEDIA_TYPE, refusalName } from './components.ts';
import { answerOf, type Example } from './example.ts';
import type { DocumentPath } from './paths.ts';
import type { DocumentedRow } from './rows.ts';
import { documentSchema, schemaOfAnswers, type JsonSchema } from './schemas.ts';
import { refusalsOf } from './statuses.ts';
import { tagOf } from './tags.ts';

const LIST_NOTE =
  'Also by the method `LIST` without `list=true`, which this version of OpenAPI cannot describe.';

const HEADERS = ['Namespace', 'WrapTtl'].map((name) => ({ $ref: `#/components/parameters/${name}` }));

/** What one path and method of the document are made from. A GET may cover two rows: itself and a LIST. */
export type OperationSource = {
  rows: DocumentedRow[];
  method: Method;
  at: DocumentPath;
  examples: Example[];
};

/** An operation as OpenAPI writes it. */
export function describeOperation({ rows, method, at, examples }: OperationSource): JsonSchema {
  const [first, ...others] = rows;
  if (!first) throw new Error(`nothing answers ${method} ${at.path}`);
  const lists = rows.some((row) => row.method === 'LIST');
  const isPublic = first.access === 'public';
  const refusals = [...new Set(rows.flatMap((row) => refusalsOf(row, method)))];
  const summaries = [first.summary, ...others.map((row) => row.summary)];
  return {
    operationId: operationId(method, at.path),
    tags: [tagOf(first)],
    summary: [...new Set(summaries)].join('. '),
    description: [lists ? LIST_NOTE : '', rightOf(first)].filter(Boolean).join(' '),
    security: isPublic ? [] : [{ bearer: [] }, { token: [] }],
    parameters: [
      ...at.parameters.map((parameter) => ({
        ...parameter,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      })),
      ...(lists ? [listParameter(rows)] : []),
      ...queryParameters(rows),
      ...(first.isConditional ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
      ...(first.takesIfNoneMatch ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
      ...(isPublic || first.dialect === 'admin' ? [] : HEADERS),
    ],
    ...requestBody(first, method, examples),
    responses: {
      ...warned(first, examples),
      ...answers(first, examples),
      ...Object.fromEntries(
        refusals.map((status) => [
          String(status),
          { $ref: `#/components/responses/${refusalName(first.dialect, status)}` },
        ]),
      ),
      // Some errors have content: the 404 of a deleted thing tells what is still known about it, and the 503 of an
      // unready process tells what it lacks.
      ...answers(
        first,
        examples.filter(({ status }) => status >= 400),
      ),
    },
  };
}

function operationId(method: Method, path: string): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter(Boolean);
  return [method.toLowerCase(), ...words].join('_');
}

function rightOf({ access, dialect }: DocumentedRow): string {
  if (access === 'public') return 'Needs no token.';
  if (dialect === 'admin')
    return 'Needs a token with the policy `site-admin` or `root`, of the root namespace.';
  if (access === 'token') return 'Needs any valid token.';
  return `Needs a policy that gives the capability on this path${access === 'sudo' ? ', and `sudo`' : ''}.`;
}

function listParameter(rows: DocumentedRow[]): JsonSchema {
  const required = rows.every((row) => row.method === 'LIST');
  return { name: 'list', in: 'query', required, schema: { type: 'boolean', const: true } };
}

function queryParameters(rows: DocumentedRow[]): JsonSchema[] {
  const found = new Map<string, JsonSchema>();
  for (const row of rows) {
    const { properties = {}, required = [] } = row.query ? documentSchema(row.query) : {};
    for (const [name, schema] of Object.entries(properties as Record<string, JsonSchema>)) {
      const { description, ...rest } = schema;
      const isRequired = rows.length === 1 && (required as string[]).includes(name);
      found.set(name, {
        name,
        in: 'query',
        required: isRequired,
        ...(description === undefined ? {} : { description }),
        schema: rest,
      });
    }
  }
  return [...found.values()];
}

function requestBody(row: DocumentedRow, method: Method, examples: Example[]): JsonSchema {
  const schema = row.describedBody ?? row.body;
  if (!schema || method === 'GET') return {};
  const described = documentSchema(schema);
  const shown = examples.filter(({ body }) => body !== undefined);
  const isForm = row.path.startsWith('/users/');
  const type = isForm ? 'application/x-www-form-urlencoded' : bodyType(row, method);
  const media = {
    schema: described,
    ...(shown.length === 0 || isForm
      ? {}
      : { examples: Object.fromEntries(shown.map(({ name, body }) => [name, { value: body }])) }),
  };
  return {
    requestBody: {
      required: ((described['required'] ?? []) as unknown[]).length > 0,
      content: { [type]: media },
    },
  };
}

function bodyType({ dialect }: DocumentedRow, method: Method): string {
  return dialect === 'secrets' && method === 'PATCH' ? 'application/merge-patch+json' : MEDIA_TYPE[dialect];
}

// An answer without a body gets one if there is a warning.
function warned({ dialect, access }: DocumentedRow, examples: Example[]): JsonSchema {
  const isSilent = examples.some(({ status }) => status === 204);
  if (dialect !== 'secrets' || access === 'public' || !isSilent) return {};
  const schema = { $ref: '#/components/schemas/Envelope' };
  return {
    '200': { description: 'Done, with warnings', content: { [MEDIA_TYPE.secrets]: { schema } } },
  };
}

function answers(row: DocumentedRow, examples: Example[]): JsonSchema {
  const statuses = [...new Set(examples.map(({ status }) => status))];
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      answer(
        row,
        examples.filter((one) => one.status === status),
      ),
    ]),
  );
}

function answer(row: DocumentedRow, examples: Example[]): JsonSchema {
  const bodies = examples.filter((example) => answerOf(example) !== undefined);
  const [first] = bodies;
  const described = {
    description: examples.map(({ name }) => name).join('; '),
    headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } },
  };
  if (!first) return described;
  const isWrapped = first.answer === undefined;
  const own = schemaOfAnswers(bodies.map((example) => (isWrapped ? (example.data ?? null) : example.answer)));
  const schema = isWrapped
    ? { allOf: [{ $ref: '#/components/schemas/Envelope' }, { type: 'object', properties: { data: own } }] }
    : own;
  const shown = bodies.map((example) => [example.name, { value: answerOf(example) }]);
  return {
    ...described,
    content: { [answerType(row, first)]: { schema, examples: Object.fromEntries(shown) } },
  };
}

function answerType(row: DocumentedRow, example: Example): string {
  if (typeof example.answer !== 'string')
    return MEDIA_TYPE[row.path.startsWith('/api/') ? 'admin' : 'secrets'];
  if (row.path.startsWith('/users/')) return 'application/samlmetadata+xml';
  return 'text/html';
}
