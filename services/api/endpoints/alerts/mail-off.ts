import { loadDocument } from '../../../../libs/settings/documents.ts';
import { smtpSettings } from '../../../../libs/settings/smtp.ts';
import type { ApiServices } from '../../services.ts';

/** Why no rule can reach anybody by email; null if the site sends email. */
export async function findMailFault(services: ApiServices): Promise<string | null> {
  const { attributes } = await loadDocument(services, smtpSettings);
  return attributes['enabled'] === true
    ? null
    : 'email is not enabled: a site administrator can turn it on in the SMTP settings';
}
