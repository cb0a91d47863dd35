import { issuerUrl } from '../../../../libs/config/config.ts';
import { PLACEHOLDERS } from '../../../../libs/connector/template.ts';
import { keptDaysOf } from '../../../../libs/store/settings/retention.ts';
import { catalog } from '../../../connectors/catalog.ts';
import { presentAlertFields, presentDestinationType } from '../../presenters/schemas.ts';
import { endpoint, ok, type Endpoint } from '../../routing/endpoint.ts';
import { authKinds, authTuningFields } from './auth-kinds.ts';
import type { ApiServices } from '../../services.ts';
import { settingsKinds } from './settings-kinds.ts';
import { schemasAnswer, type SchemasAnswer } from '../../contract/forms.ts';

/** The schemas from which forms are drawn. The same schemas validate requests. */
export const schemaEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/sys/schemas',
    access: 'token',
    summary: 'Read the schemas of destinations and settings: every field with its rules',
    answers: { 200: { data: schemasAnswer } },
    handle: async ({ services, namespace }) => ok(formSchemas(services.config, namespace.path)),
  }),
];

/** All schemas of forms, as they are in a namespace. */
export function formSchemas(config: ApiServices['config'], namespace: string): SchemasAnswer {
  return {
    destinations: catalog.map((type) =>
      presentDestinationType(type, { namePrefix: config.NAME_PREFIX, issuer: issuerUrl(config), namespace }),
    ),
    settings: settingsKinds(keptDaysOf(undefined, config)),
    placeholders: [...PLACEHOLDERS],
    alerts: presentAlertFields(),
    auth_methods: authKinds(),
    auth_tuning: authTuningFields(),
  };
}
