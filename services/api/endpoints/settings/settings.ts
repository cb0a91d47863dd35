import { answerSchema } from './answer-schema.ts';
import { Type } from 'typebox';
import type { DocumentChange } from '../../../../libs/commands/settings-commands.ts';
import type { Config } from '../../../../libs/config/config.ts';
import { etagOf } from '../../../../libs/validation/preconditions.ts';
import { settingsDefinitions } from '../../../../libs/settings/definitions.ts';
import type { SettingsDefinition } from '../../../../libs/settings/definition.ts';
import { loadDocument, type StoredDocument } from '../../../../libs/settings/documents.ts';
import { samlSettings } from '../../../../libs/settings/saml.ts';
import { endpoint, type ApiRequest, type Endpoint, type Reply } from '../../routing/endpoint.ts';
import type { SettingsAction } from '../../presenters/schemas.ts';
import { presentSettings } from '../../presenters/settings.ts';
import type { DocumentName } from '../../../../libs/settings/definitions.ts';
import { refuseSession } from '../auth-methods/token-rules.ts';
import { documentNamesOf, ownName } from './names.ts';
import { refuseOtherId } from './document-id.ts';
import { changeSchema, createChangeReader, unknownAttributes } from './change.ts';

const REVOKE_PATH = '/api/v2/admin/saml-settings/actions/revoke-old-certificate';

export const samlActions: SettingsAction[] = [
  {
    path: REVOKE_PATH,
    title: 'Revoke the former certificate',
    description:
      'After you replace the IdP certificate, Sealift still accepts the former one. Revoke it as soon as the identity provider signs with the new one.',
    irrevocable: true,
  },
];

/** Reads come from Postgres; a change is a command to the settings worker, which answers with the new document. */
export const settingsEndpoints: Endpoint[] = [
  ...settingsDefinitions.flatMap((definition) =>
    documentNamesOf(definition).flatMap((name) => endpointsOf(definition, name)),
  ),
  endpoint({
    method: 'POST',
    alsoMethods: ['PUT'],
    path: REVOKE_PATH,
    access: 'policy',
    summary: 'Stop accepting the former certificate of the identity provider',
    answers: { 200: { data: answerSchema(samlSettings) } },
    isConditional: true,
    handle: async (request) => {
      const { commands } = request.services;
      const changed = await commands.call('settings', 'revoke-old-certificate', askedBy(request));
      return answerChange(request, changed, samlSettings, ownName(samlSettings));
    },
  }),
];

function endpointsOf(definition: SettingsDefinition, name: DocumentName): Endpoint[] {
  const path = `/api/v2/admin/${name.type}`;
  const readChange = createChangeReader(definition, name);
  const answer = answerSchema(definition);
  return [
    endpoint({
      method: 'GET',
      path,
      access: 'policy',
      summary: `Read the ${definition.kind} settings of the installation`,
      answers: { 200: { data: answer } },
      handle: async ({ services }) =>
        answerDocument(services.config, await loadDocument(services, definition), definition, name),
    }),
    endpoint({
      method: 'PATCH',
      path,
      access: 'policy',
      summary: `Change the ${definition.kind} settings; absent attributes keep their values`,
      answers: { 200: { data: answer } },
      isConditional: true,
      body: Type.Unknown(),
      describedBody: changeSchema(definition, name),
      handle: async (request) => {
        const { services, body } = request;
        // They decide whose word counts for who somebody is.
        if (definition === samlSettings) refuseSession(request);
        const { id, attributes } = await readChange(services, body);
        refuseOtherId(id, name.id);
        const change = { kind: definition.kind, attributes, ...askedBy(request) };
        const changed = await services.commands.call('settings', 'update-settings', change);
        return warned(
          answerChange(request, changed, definition, name),
          unknownAttributes(definition, attributes, services.config),
        );
      },
    }),
  ];
}

function warned(reply: Reply, unknown: string[]): Reply {
  if (unknown.length === 0) return reply;
  const warnings = unknown.map((attribute) => `${attribute} is unknown and was ignored`);
  return { ...reply, data: { ...(reply.data as object), meta: { warnings } } };
}

// What the worker needs to know about the caller.
function askedBy({ caller, header }: ApiRequest): { author: string; ifMatch: string } {
  return { author: caller.token.display_name, ifMatch: header('if-match') };
}

// The document as this change made it; a later one may have been stored meanwhile.
function answerChange(
  { services, note }: ApiRequest,
  { changes, document }: DocumentChange,
  definition: SettingsDefinition,
  name: DocumentName,
): Reply {
  note({ changed: changes });
  const { changed_at: changedAt } = document;
  const stored = { ...document, changed_at: changedAt === null ? null : new Date(changedAt) };
  return answerDocument(services.config, stored, definition, name);
}

function answerDocument(
  config: Config,
  document: StoredDocument,
  definition: SettingsDefinition,
  name: DocumentName,
): Reply {
  const data = presentSettings(definition, name, document, config);
  return { status: 200, data, headers: { ETag: etagOf(document) } };
}
