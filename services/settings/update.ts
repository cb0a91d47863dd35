import { RequestError } from '../../libs/errors/request-error.ts';
import type { EventSender } from '../../libs/queue/events.ts';
import { applyChange } from '../../libs/settings/change.ts';
import { settingsDefinitions } from '../../libs/settings/definitions.ts';
import type { Attributes, SettingsDefinition, SettingsKind } from '../../libs/settings/definition.ts';
import type { ChangeRequest, DocumentChange } from '../../libs/commands/settings-commands.ts';
import type { Context } from '../../libs/service/context.ts';
import { changeDocument } from './change-document.ts';
import type { Conversations } from './conversations.ts';
import type { Effect } from './effect.ts';
import { createSmtpEffect } from './smtp/effect.ts';

/** One effect for each request: it may be called again with a document that somebody else changed meanwhile. */
const effects: Partial<Record<SettingsKind, (sent: Attributes, services: Services) => Effect>> = {
  smtp: createSmtpEffect,
};

type Services = Pick<Context, 'db' | 'keyring' | 'metrics' | 'installation'> & {
  events: EventSender;
  conversations: Conversations;
};

/**
 * Merges the sent attributes into a document, checks it, runs the change's effect outside, and stores it. Concurrent
 * changes are merged one after the other, so none is lost. Returns what changed. Throws 422 with
 * every failing attribute, and 412 if the change is for another state of the document.
 */
export async function updateSettings(
  services: Services,
  { kind, attributes: sent, ...request }: ChangeRequest & { kind: SettingsKind; attributes: Attributes },
): Promise<DocumentChange> {
  const definition = findDefinition(kind);
  const effect = effects[definition.kind]?.(sent, services);
  return changeDocument(services, definition, request, async (current) => {
    const { next, problems } = applyChange(definition, current, sent);
    if (problems.length > 0) throw new RequestError('unprocessable', problems);
    await effect?.(next);
    return next;
  });
}

function findDefinition(kind: SettingsKind): SettingsDefinition {
  const definition = settingsDefinitions.find((candidate) => candidate.kind === kind);
  if (!definition) throw new Error(`there are no settings of the kind ${kind}`);
  return definition;
}
