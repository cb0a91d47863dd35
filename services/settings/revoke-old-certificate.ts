import { samlSettings } from '../../libs/settings/saml.ts';
import { changeDocument, type Asked, type Changed } from './change-document.ts';

/** Stops accepting the certificate before the present one; no error if there is none. */
export function revokeOldCertificate(
  services: Parameters<typeof changeDocument>[0],
  body: unknown,
): Promise<Changed> {
  return changeDocument(services, samlSettings, body as Asked, (current) =>
    current['old-idp-cert'] === null ? current : { ...current, 'old-idp-cert': null },
  );
}
