import { Type } from 'typebox';
import type { Destination } from '../../../libs/connector/contract.ts';
import { isSensitive, settingsOf } from '../../../libs/connector/settings.ts';
import { catalog } from '../../connectors/catalog.ts';
import type { AnswerSchema, Endpoint } from '../routing/endpoint.ts';
import { destinationOptions } from '../destination-options.ts';
import { destinationAnswer, destinationAnswerOf } from '../contract/destinations.ts';
import { closed } from '../contract/schema.ts';

/** The tables of endpoints, by dialect. */
export type EndpointTables = { secrets: Endpoint[]; admin: Endpoint[] };

export type DocumentedRow = Endpoint & { dialect: 'secrets' | 'admin' };

const DESTINATION = '/sys/sync/destinations/:type/:name';

/** This row only explains why a path has no meaning in a mount of version 2. */
export const EXPLANATION_PATH = '/~kv2{/*path}';

/**
 * Every row that the document shows. Rows about one destination appear once for each type, because the body depends on
 * the type.
 */
export function documentedRows(tables: EndpointTables): DocumentedRow[] {
  return [
    ...tables.secrets.map((row) => ({ ...row, dialect: 'secrets' as const })),
    ...tables.admin.map((row) => ({ ...row, dialect: 'admin' as const })),
  ]
    .filter(({ path }) => path !== EXPLANATION_PATH)
    .flatMap((row) => (row.path === DESTINATION ? rowsByType(row) : [row]));
}

function rowsByType(row: DocumentedRow): DocumentedRow[] {
  return catalog.map((type) => {
    const path = row.path.replace(':type', type.type);
    const summary = `${row.summary} (${type.title})`;
    const properties = settingsOf(type);
    const answers = answersOf(row, type);
    if (row.method === 'POST') {
      const described = Type.Object({ ...properties, ...destinationOptions });
      return { ...row, path, summary, answers, describedBody: described };
    }
    if (row.method !== 'PATCH') return { ...row, path, summary, answers };
    const removed = Type.Array(Type.String(), { description: 'Keys to remove from custom_tags.' });
    const described = Type.Partial(
      Type.Object({ ...properties, ...destinationOptions, tags_to_remove: removed }),
    );
    return { ...row, path, summary, answers, describedBody: described };
  });
}

// The connection details are those of the type. A setting that is not set is absent, and a sensitive one is masked.
function answersOf({ answers }: Endpoint, type: Destination): Record<number, AnswerSchema> {
  const details = Object.entries(settingsOf(type)).map(([name, schema]) => [
    name,
    Type.Optional(isSensitive(type, name) ? Type.String() : schema),
  ]);
  if (type.app) details.push(['app_config', Type.Optional(closed({ app_name: Type.String() }))]);
  const data = destinationAnswerOf(Type.Object(Object.fromEntries(details), { additionalProperties: false }));
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => [
      status,
      answer.data === destinationAnswer ? { ...answer, data } : answer,
    ]),
  );
}
