import { Type } from 'typebox';
import { settingsDefinitions } from '../../../../libs/settings/definitions.ts';
import type { Attributes, SettingsDefinition } from '../../../../libs/settings/definition.ts';
import { loadDocument } from '../../../../libs/settings/documents.ts';
import { redactDocument } from '../../../../libs/settings/redact.ts';
import { samlSettings } from '../../../../libs/settings/saml.ts';
import { endpoint, ok, type Endpoint } from '../../routing/endpoint.ts';
import { presentSettings } from '../../presenters/settings.ts';
import { namesOf, ownName, type DocumentName } from './names.ts';
import { refuseOtherId } from './document-id.ts';
import { changeSchema, createChangeReader } from './change.ts';

/** Reads come from Postgres; a change is a command to the settings worker, which answers with the new document. */
export const settingsEndpoints: Endpoint[] = [
  ...settingsDefinitions.flatMap((definition) =>
    namesOf(definition).flatMap((name) => endpointsOf(definition, name)),
  ),
  endpoint({
    method: 'POST',
    alsoMethods: ['PUT'],
    path: '/api/v2/admin/saml-settings/actions/revoke-old-certificate',
    access: 'policy',
    summary: 'Stops accepting the identity provider certificate before the present one',
    handle: async ({ services }) => {
      const command = { name: 'revoke-old-certificate', body: {} };
      const document = (await services.commands.call('settings', command)) as Attributes;
      return ok(presentSettings(ownName(samlSettings), document, services.config));
    },
  }),
];

function endpointsOf(definition: SettingsDefinition, name: DocumentName): Endpoint[] {
  const path = `/api/v2/admin/${name.type}`;
  const readChange = createChangeReader(definition, name);
  return [
    endpoint({
      method: 'GET',
      path,
      access: 'policy',
      summary: `The ${definition.kind} settings of the installation`,
      handle: async ({ services }) => {
        const { attributes } = await loadDocument(services, definition);
        return ok(presentSettings(name, redactDocument(definition, attributes), services.config));
      },
    }),
    endpoint({
      method: 'PATCH',
      path,
      access: 'policy',
      summary: `Changes the ${definition.kind} settings; attributes left out keep their values`,
      body: Type.Unknown(),
      describedBody: changeSchema(definition, name),
      handle: async ({ services, body }) => {
        const { id, attributes } = await readChange(services, body);
        refuseOtherId(id, name.id);
        const command = { name: 'update-settings', body: { kind: definition.kind, attributes } };
        const document = (await services.commands.call('settings', command)) as Attributes;
        return ok(presentSettings(name, document, services.config));
      },
    }),
  ];
}
