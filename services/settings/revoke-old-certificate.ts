import { samlSettings } from '../../libs/settings/saml.ts';
import type { ChangeRequest, DocumentChange } from '../../libs/commands/settings-commands.ts';
import { changeDocument } from './change-document.ts';

/** Stops accepting the certificate before the present one; no error if there is none. */
export function revokeOldCertificate(
  services: Parameters<typeof changeDocument>[0],
  request: ChangeRequest,
): Promise<DocumentChange> {
  return changeDocument(services, samlSettings, request, (current) =>
    current['old-idp-cert'] === null ? current : { ...current, 'old-idp-cert': null },
  );
}
