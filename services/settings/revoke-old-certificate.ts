import { conflict } from '../../libs/errors/request-error.ts';
import type { EventSender } from '../../libs/queue/events.ts';
import type { Attributes } from '../../libs/settings/definition.ts';
import { loadDocument, saveDocument } from '../../libs/settings/documents.ts';
import { redactDocument } from '../../libs/settings/redact.ts';
import { samlSettings } from '../../libs/settings/saml.ts';
import type { Context } from '../../libs/service/context.ts';

const MOST_TRIES = 50;

/** Ends the time in which the certificate before the present one is accepted; nothing to revoke is fine. */
export async function revokeOldCertificate(
  services: Pick<Context, 'db' | 'keyring'> & { events: EventSender },
): Promise<Attributes> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const { attributes, revision } = await loadDocument(services, samlSettings);
    if (attributes['old-idp-cert'] === null) return redactDocument(samlSettings, attributes);
    const next = { ...attributes, 'old-idp-cert': null };
    if (await saveDocument(services, samlSettings, { attributes: next, revision })) {
      services.events.send({ name: 'settings.changed', data: { kind: 'saml' } });
      return redactDocument(samlSettings, next);
    }
  }
  throw conflict('the document is being changed by others all the time; try again');
}
