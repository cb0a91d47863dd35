import { createDocument } from '../../services/api/openapi/document.ts';
import { tables } from '../api/openapi/support.ts';

type Json = Record<string, unknown>;

/** The parts of an OpenAPI operation that an attacker needs. */
export type Operation = {
  path: string;
  verb: string;
  contentType: string | undefined;
  example: unknown;
  /** Field names in the body's schema. */
  bodyKeys: string[];
  query: string[];
  requiredQuery: string[];
  statuses: number[];
  isPublic: boolean;
};

/** All operations in the document that the service serves. */
export async function listOperations(): Promise<Operation[]> {
  const paths = (await createDocument(tables))['paths'] as Record<string, Record<string, Json>>;
  return Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => describe(path, verb, operation)),
  );
}

function describe(path: string, verb: string, operation: Json): Operation {
  const content = ((operation['requestBody'] as Json | undefined)?.['content'] ?? {}) as Record<string, Json>;
  const [contentType, media] = Object.entries(content)[0] ?? [];
  const examples = Object.values((media?.['examples'] ?? {}) as Record<string, { value: unknown }>);
  const parameters = (operation['parameters'] ?? []) as { name: string; in: string; required: boolean }[];
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  return {
    path,
    verb,
    contentType,
    example: examples[0]?.value,
    bodyKeys: keysOf(media?.['schema']),
    query: inQuery.map(({ name }) => name),
    requiredQuery: inQuery.filter(({ required }) => required).map(({ name }) => name),
    statuses: Object.keys(operation['responses'] as Json).map(Number),
    isPublic: (operation['security'] as unknown[]).length === 0,
  };
}

function keysOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const properties = ((schema as Json)['properties'] ?? {}) as Json;
  return Object.entries(properties).flatMap(([name, inner]) => [name, ...keysOf(inner)]);
}
