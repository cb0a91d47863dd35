import { readVersion } from '../../../libs/config/version.ts';
import { createPause, mapInSlices } from '../../../libs/time/slices.ts';
import { components } from './components.ts';
import { answersElsewhere } from './elsewhere.ts';
import type { Example } from './example.ts';
import { exampleTables } from './examples/index.ts';
import { refusals } from './examples/refusals.ts';
import { describeOperation, type OperationSource } from './operation.ts';
import { documentPaths } from './paths.ts';
import { documentedRows, type DocumentedRow, type EndpointTables } from './rows.ts';
import type { JsonSchema } from './schemas.ts';
import { tags } from './tags.ts';

const DESCRIPTION = `Pushes secrets from a KV store to external secret stores and keeps them in sync.

Every path also exists below \`/v1\`. Strings are taken for numbers, switches and lists where command lines send them,
except in site administration (\`/api/v2\`), which speaks JSON API and is strict.`;

/** The OpenAPI 3.1 document of the endpoints in these tables. Lets other work run in between. */
export async function createDocument(tables: EndpointTables): Promise<JsonSchema> {
  const paths = await describePaths(documentedRows(tables));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sealift',
      version: readVersion(),
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }, { url: '/v1' }],
    tags,
    paths,
    components: components(refusals, paths),
  };
}

async function describePaths(rows: DocumentedRow[]): Promise<JsonSchema> {
  const examples = [...exampleTables.flat(), ...answersElsewhere];
  const paths = new Map<string, Map<string, OperationSource>>();
  const pause = createPause();
  for (const row of rows) {
    await pause();
    for (const documentPath of documentPaths(row.path)) {
      const operations = paths.get(documentPath.path) ?? new Map<string, OperationSource>();
      paths.set(documentPath.path, operations);
      const own = examples.filter((example) => isOf(example, row, documentPath.parameters.length));
      join(operations, row, {
        rows: [row],
        method: row.method === 'LIST' ? 'GET' : row.method,
        at: documentPath,
        examples: own,
      });
      for (const method of row.alsoMethods ?? []) {
        join(operations, row, { rows: [row], method, at: documentPath, examples: own.map(withoutExample) });
      }
    }
  }
  const described = await mapInSlices([...paths], ([path, operations]) => [
    path,
    Object.fromEntries([...operations].map(([verb, source]) => [verb, describeOperation(source)])),
  ]);
  return Object.fromEntries(described) as JsonSchema;
}

function join(operations: Map<string, OperationSource>, row: DocumentedRow, source: OperationSource): void {
  const verb = source.method.toLowerCase();
  const present = operations.get(verb);
  if (!present) return void operations.set(verb, source);
  // A LIST and a read of the same path are both a GET.
  if (row.method !== 'LIST' && present.rows[0]?.method !== 'LIST') return;
  operations.set(verb, {
    ...present,
    rows: [...present.rows, row],
    examples: [...present.examples, ...source.examples],
  });
}

function isOf(example: Example, row: DocumentedRow, parameters: number): boolean {
  const isSame = example.of === `${row.method} ${row.path}`;
  return isSame && Object.keys(example.params ?? {}).length === parameters;
}

// The other method is the same call. Its answer is known, but no test makes the call with this method.
function withoutExample({ of, name, status, data, auth, wrapInfo, answer }: Example): Example {
  return { of, name, status, data, auth, wrapInfo, answer };
}
