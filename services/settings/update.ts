import { conflict, RequestError } from '../../libs/errors/request-error.ts';
import type { EventSender } from '../../libs/queue/events.ts';
import { applyChange } from '../../libs/settings/change.ts';
import { settingsDefinitions } from '../../libs/settings/definitions.ts';
import type { Attributes, SettingsDefinition, SettingsKind } from '../../libs/settings/definition.ts';
import { loadDocument, saveDocument } from '../../libs/settings/documents.ts';
import { redactDocument } from '../../libs/settings/redact.ts';
import type { Context } from '../../libs/service/context.ts';
import type { Conversations } from './conversations.ts';
import type { Effect } from './effect.ts';
import { createSmtpEffect } from './smtp/effect.ts';

// Each lost race means that another change was stored, so this many in a row is a storm and not a wait.
const MOST_TRIES = 50;

/** One effect for each request: it may be asked again with the document as somebody else has changed it meanwhile. */
const effects: Partial<Record<SettingsKind, (sent: Attributes, services: Services) => Effect>> = {
  smtp: createSmtpEffect,
};

type Services = Pick<Context, 'db' | 'keyring' | 'metrics'> & {
  events: EventSender;
  conversations: Conversations;
};

/**
 * Merges the sent attributes into a document, checks it, does what the change does in the world and stores it. Changes
 * made at the same time are merged one after the other, so none is lost. Returns the document without its secrets;
 * throws 422 with every failing attribute.
 */
export async function updateSettings(services: Services, body: unknown): Promise<Attributes> {
  const { kind, attributes: sent } = body as { kind: string; attributes: Attributes };
  const definition = findDefinition(kind);
  const effect = effects[definition.kind]?.(sent, services);
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const current = await loadDocument(services, definition);
    const { next, problems } = applyChange(definition, current.attributes, sent);
    if (problems.length > 0) throw new RequestError(422, 'unprocessable', problems);
    await effect?.(next);
    if (await saveDocument(services, definition, { attributes: next, revision: current.revision })) {
      services.events.send({ name: 'settings.changed', data: { kind } });
      return redactDocument(definition, next);
    }
  }
  throw conflict('the document is being changed by others all the time; try again');
}

function findDefinition(kind: string): SettingsDefinition {
  const definition = settingsDefinitions.find((candidate) => candidate.kind === kind);
  if (!definition) throw new Error(`there are no settings of the kind ${kind}`);
  return definition;
}
