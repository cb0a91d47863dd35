import type { Attributes } from '../../libs/settings/definition.ts';
import { samlSettings } from '../../libs/settings/saml.ts';
import { changeDocument, type Asked } from './change-document.ts';

/** Ends the time in which the certificate before the present one is accepted; nothing to revoke is fine. */
export function revokeOldCertificate(
  services: Parameters<typeof changeDocument>[0],
  body: unknown,
): Promise<Attributes> {
  return changeDocument(services, samlSettings, body as Asked, (current) =>
    current['old-idp-cert'] === null ? current : { ...current, 'old-idp-cert': null },
  );
}
