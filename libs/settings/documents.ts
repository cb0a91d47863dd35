import type { Keyring } from '../crypto/keyring.ts';
import { seal, unseal } from '../crypto/seal.ts';
import type { Database } from '../db/connect.ts';
import type { Stamp } from '../validation/preconditions.ts';
import { findSettings, storeSettings } from '../store/settings/settings.ts';
import { hasMark, type Attributes, type SettingsDefinition } from './definition.ts';

/** A whole document with its secrets; revision 0: nothing was stored yet. */
export type StoredDocument = Stamp & { attributes: Attributes };

type Storage = { db: Database; keyring: Keyring };

/** The present document with defaults. Throws UnsealError if the master key is wrong. */
export async function loadDocument(
  { db, keyring }: Storage,
  definition: SettingsDefinition,
): Promise<StoredDocument> {
  const row = await findSettings(db, definition.kind);
  const secrets = row?.sealed ? unseal(keyring, row.sealed, identityOf(definition)).toString() : '{}';
  const attributes = {
    ...defaultsOf(definition),
    ...(row ? definition.formerly : {}),
    ...row?.attributes,
    ...(JSON.parse(secrets) as Attributes),
  };
  const { revision = 0, changed_at = null, changed_by = null } = row ?? {};
  return { attributes, revision, changed_at, changed_by };
}

/**
 * Stores a document that is based on `revision`; `author` is a display name. Undefined if the document was changed since it
 * was loaded; nothing is stored then.
 */
export async function saveDocument(
  { db, keyring }: Storage,
  definition: SettingsDefinition,
  { attributes, revision, author }: { attributes: Attributes; revision: number; author: string | null },
): Promise<Stamp | undefined> {
  const isSecret = (name: string) => hasMark(definition.schema.properties[name], 'sensitive');
  const part = (wanted: boolean) =>
    Object.fromEntries(Object.entries(attributes).filter(([name]) => isSecret(name) === wanted));
  const secrets = Object.fromEntries(Object.entries(part(true)).filter(([, value]) => Boolean(value)));
  const sealed =
    Object.keys(secrets).length === 0 ? null : seal(keyring, JSON.stringify(secrets), identityOf(definition));
  const row = { kind: definition.kind, attributes: part(false), sealed };
  return storeSettings(db, row, { over: revision, author });
}

/** A document without any changes. */
export function defaultsOf(definition: SettingsDefinition): Attributes {
  const entries = Object.entries(definition.schema.properties).filter(
    ([, property]) => !hasMark(property, 'writeOnly'),
  );
  return Object.fromEntries(
    entries.map(([name, property]) => [name, (property as { default?: unknown }).default]),
  );
}

function identityOf(definition: SettingsDefinition): string {
  return `settings/${definition.kind}`;
}
