import { Type } from 'typebox';
import { notFound } from '../../../../libs/errors/request-error.ts';
import { lookUpVersion, openVersion } from '../../../../libs/store/secrets/read.ts';
import { isJsonObject, parseStoredObject } from '../../../../libs/validation/lossless.ts';
import { deletedSubkeysAnswer, subkeysAnswer, type ValueType } from '../../contract/secrets.ts';
import { endpoint, ok, type Endpoint } from '../../routing/endpoint.ts';
import { presentVersionMetadata } from '../../presenters/secret.ts';
import { secretOf, versionOf, versionQuery } from './request.ts';

/** The shape of a secret without its values. */
export const kvSubkeyEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/~kv2/subkeys/*path',
    access: 'policy',
    summary: 'Read the keys of a secret; every value is null',
    answers: { 200: { data: subkeysAnswer }, 404: { data: deletedSubkeysAnswer } },
    query: Type.Object({
      version: versionQuery,
      depth: Type.Optional(
        Type.Integer({ minimum: 0, description: 'Number of levels of keys. Absent or 0: all levels.' }),
      ),
      types: Type.Optional(
        Type.Boolean({ description: 'Also tell the JSON type of the value of each key of the first level.' }),
      ),
    }),
    handle: async ({ services, query, mount }) => {
      const stored = await lookUpVersion(services.db, secretOf({ mount }), versionOf(query));
      if (!stored) throw notFound();
      const json = openVersion(services.keyring, stored);
      const metadata = presentVersionMetadata(stored);
      if (json === null) return { status: 404, data: { subkeys: null, metadata } };
      const data = parseStoredObject(json);
      const subkeys = blank(data, query.depth || Number.POSITIVE_INFINITY);
      return ok({ subkeys, metadata, ...(query.types ? { types: typesOf(data) } : {}) });
    },
  }),
];

function blank(data: Record<string, unknown>, depth: number): Record<string, unknown> {
  const inside = (value: unknown): unknown =>
    isJsonObject(value) && depth > 1 ? blank(value, depth - 1) : null;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, inside(value)]));
}

function typesOf(data: Record<string, unknown>): Record<string, ValueType> {
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, typeOf(value)]));
}

function typeOf(value: unknown): ValueType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'boolean') return 'boolean';
  return isJsonObject(value) ? 'object' : 'number';
}
