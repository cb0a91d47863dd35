import { Type } from 'typebox';
import type { KeptDays } from '../../../../libs/store/settings/retention.ts';
import { settingsDefinitions } from '../../../../libs/settings/definitions.ts';
import type { SettingsKindAnswer } from '../../contract/forms.ts';
import { presentSettingsKind, type SettingsAction } from '../../presenters/schemas.ts';
import { oidcActions, OIDC_TYPE } from '../oidc/settings.ts';
import { RETENTION_RESOURCE } from '../../contract/administration.ts';
import { RETENTION_TYPE, retentionSchemaFor } from '../settings/retention.ts';
import { samlActions } from '../settings/settings.ts';
import { smsActions } from '../settings/sms-verify.ts';

const ACTIONS: Record<string, SettingsAction[]> = { saml: samlActions, sms: smsActions };

/**
 * Every kind of settings of the site: the documents, data retention, and the keys of workload tokens. `unset`: what
 * counts without a retention policy.
 */
export function settingsKinds(unset: KeptDays): SettingsKindAnswer[] {
  return [
    ...settingsDefinitions.map((definition) =>
      presentSettingsKind(definition, { actions: ACTIONS[definition.kind] ?? [] }),
    ),
    presentSettingsKind(
      { kind: 'data-retention', type: RETENTION_TYPE, schema: retentionSchemaFor(unset) },
      { resource: RETENTION_RESOURCE, mayBeAbsent: true },
    ),
    presentSettingsKind({ kind: 'oidc', type: OIDC_TYPE, schema: Type.Object({}) }, { actions: oidcActions }),
  ];
}
