import { requireMatch } from '../../libs/validation/preconditions.ts';
import { conflict } from '../../libs/errors/request-error.ts';
import type { EventSender } from '../../libs/queue/events.ts';
import type { Attributes, SettingsDefinition } from '../../libs/settings/definition.ts';
import { loadDocument, saveDocument } from '../../libs/settings/documents.ts';
import { redactDocument } from '../../libs/settings/redact.ts';
import type { Context } from '../../libs/service/context.ts';

// Each lost race means that another change was stored, so this many in a row are a flood of changes, not a short wait.
const MOST_TRIES = 50;

/** Who asks for a change (a display name), and for which state of the document; absent if the API does not send them. */
export type Asked = { author?: string; ifMatch?: string };

/**
 * Stores the result of `change` and sends an event; an unchanged document stores nothing. If another change was stored
 * meanwhile, `change` is called again with the new document, so no change is lost. Returns the document without its
 * secrets. Throws 409 after 50 lost races, and 412 if `ifMatch` names another state of the document.
 */
export async function changeDocument(
  services: Pick<Context, 'db' | 'keyring'> & { events: EventSender },
  definition: SettingsDefinition,
  { author, ifMatch }: Asked,
  change: (current: Attributes) => Attributes | Promise<Attributes>,
): Promise<Attributes> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const { attributes, ...stamp } = await loadDocument(services, definition);
    requireMatch(ifMatch, stamp, `the document ${definition.type}`);
    const next = await change(attributes);
    if (next === attributes) return redactDocument(definition, next);
    if (await saveDocument(services, definition, { ...stamp, attributes: next, author: author ?? null })) {
      services.events.send({ name: 'settings.changed', data: { kind: definition.kind } });
      return redactDocument(definition, next);
    }
  }
  throw conflict('the document was changed at the same time: try again');
}
