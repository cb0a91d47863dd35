import type { Method } from '../routing/endpoint.ts';
import { MEDIA_TYPE, refusalName } from './components.ts';
import { describeAnswers } from './answers.ts';
import type { Example } from './example.ts';
import type { DocumentPath } from './paths.ts';
import type { DocumentedRow } from './rows.ts';
import { documentSchema, type JsonSchema } from './schemas.ts';
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
  const answers = describeAnswers(rows, examples, refusals);
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
      ...((isPublic && !first.isLogIn) || first.dialect === 'admin' ? [] : HEADERS),
    ],
    ...requestBody(first, method, examples),
    responses: {
      ...answers.done,
      ...Object.fromEntries(
        refusals.map((status) => [
          String(status),
          { $ref: `#/components/responses/${refusalName(first.dialect, status, first.path)}` },
        ]),
      ),
      ...answers.refused,
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
