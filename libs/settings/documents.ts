import type { Keyring } from '../crypto/keyring.ts';
import { seal, unseal } from '../crypto/seal.ts';
import type { Database } from '../db/connect.ts';
import { findSettings, storeSettings } from '../store/settings/settings.ts';
import { hasMark, type Attributes, type SettingsDefinition } from './definition.ts';

/** A whole document, secrets included; revision 0: nothing was ever stored. */
export type StoredDocument = { attributes: Attributes; revision: number };

type Storage = { db: Database; keyring: Keyring };

/** The document as it stands, defaults filled in. Throws UnsealError under a wrong master key. */
export async function loadDocument(
  { db, keyring }: Storage,
  definition: SettingsDefinition,
): Promise<StoredDocument> {
  const row = await findSettings(db, definition.kind);
  const secrets = row?.sealed ? unseal(keyring, row.sealed, identityOf(definition)).toString() : '{}';
  const attributes = {
    ...defaultsOf(definition),
    ...row?.attributes,
    ...(JSON.parse(secrets) as Attributes),
  };
  return { attributes, revision: row?.revision ?? 0 };
}

/** False where somebody else has changed the document since it was loaded; nothing is stored then. */
export async function saveDocument(
  { db, keyring }: Storage,
  definition: SettingsDefinition,
  { attributes, revision }: StoredDocument,
): Promise<boolean> {
  const isSecret = (name: string) => hasMark(definition.schema.properties[name], 'sensitive');
  const part = (wanted: boolean) =>
    Object.fromEntries(Object.entries(attributes).filter(([name]) => isSecret(name) === wanted));
  const secrets = Object.fromEntries(Object.entries(part(true)).filter(([, value]) => Boolean(value)));
  const sealed =
    Object.keys(secrets).length === 0 ? null : seal(keyring, JSON.stringify(secrets), identityOf(definition));
  return storeSettings(db, { kind: definition.kind, attributes: part(false), sealed, revision });
}

/** A document that nobody has changed yet. */
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
