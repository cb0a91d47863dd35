import type { ChangeRequest, DocumentChange } from '../../libs/commands/settings-commands.ts';
import { requireMatch } from '../../libs/validation/preconditions.ts';
import { conflict } from '../../libs/errors/request-error.ts';
import type { EventSender } from '../../libs/queue/events.ts';
import { hasMark, type Attributes, type SettingsDefinition } from '../../libs/settings/definition.ts';
import { loadDocument, saveDocument, type StoredDocument } from '../../libs/settings/documents.ts';
import { maskSecrets } from '../../libs/settings/redact.ts';
import type { Context } from '../../libs/service/context.ts';
import { describeChanges } from '../../libs/validation/changes.ts';
import { fingerprint } from '../../libs/crypto/fingerprint.ts';

// Each lost race means that another change was stored, so this many in a row are a flood of changes, not a short wait.
const MOST_TRIES = 50;

/**
 * Stores the result of `change` and sends an event; an unchanged document stores nothing. If another change was stored
 * meanwhile, `change` is called again with the new document, so no change is lost. Returns what changed, for
 * the audit trail, and the document. Throws 409 after 50 lost races, and 412 if `ifMatch` names another state of the document.
 */
export async function changeDocument(
  services: Pick<Context, 'db' | 'keyring' | 'installation'> & { events: EventSender },
  definition: SettingsDefinition,
  { author, ifMatch }: ChangeRequest,
  change: (current: Attributes) => Attributes | Promise<Attributes>,
): Promise<DocumentChange> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const { attributes, ...stamp } = await loadDocument(services, definition);
    requireMatch(ifMatch, stamp, `the document ${definition.type}`);
    const next = await change(attributes);
    if (next === attributes) return { changes: {}, document: shown(definition, { attributes, ...stamp }) };
    const { revision } = stamp;
    const wanted = { attributes: next, revision, author: author ?? null };
    const saved = await saveDocument(services, definition, wanted);
    if (saved) {
      services.events.send({ name: 'settings.changed', data: { kind: definition.kind } });
      return {
        changes: describeChanges(attributes, next, {
          isSecret: (name) => isSecret(definition, name),
          fingerprint: (value, name) => printOf(services, `${definition.kind} ${name}`, value),
        }),
        document: shown(definition, { attributes: next, ...saved }),
      };
    }
  }
  throw conflict('the document was changed at the same time: try again');
}

function shown(
  definition: SettingsDefinition,
  { attributes, changed_at: changedAt, ...stamp }: StoredDocument,
): DocumentChange['document'] {
  return {
    ...stamp,
    attributes: maskSecrets(definition, attributes),
    changed_at: changedAt?.toISOString() ?? null,
  };
}

function isSecret({ schema }: SettingsDefinition, name: string): boolean {
  const property = schema.properties[name];
  return property === undefined || hasMark(property, 'sensitive') || hasMark(property, 'writeOnly');
}

// Each attribute has its own, so that a guess in one cannot be compared with a value in another.
function printOf({ installation }: Pick<Context, 'installation'>, subject: string, value: string): string {
  return fingerprint(installation.hashKey, `audit ${subject}`, value).toString('hex').slice(0, 16);
}
