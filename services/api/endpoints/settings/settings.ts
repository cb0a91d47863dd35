import { Type } from 'typebox';
import { etagOf } from '../../../../libs/validation/preconditions.ts';
import { settingsDefinitions } from '../../../../libs/settings/definitions.ts';
import type { SettingsDefinition } from '../../../../libs/settings/definition.ts';
import { loadDocument } from '../../../../libs/settings/documents.ts';
import { samlSettings } from '../../../../libs/settings/saml.ts';
import { endpoint, type ApiRequest, type Endpoint, type Reply } from '../../routing/endpoint.ts';
import type { SettingsAction } from '../../presenters/schemas.ts';
import { presentSettings } from '../../presenters/settings.ts';
import { namesOf, ownName, type DocumentName } from './names.ts';
import { refuseOtherId } from './document-id.ts';
import { changeSchema, createChangeReader, unknownAttributes } from './change.ts';

const REVOKE_PATH = '/api/v2/admin/saml-settings/actions/revoke-old-certificate';

export const samlActions: SettingsAction[] = [
  {
    path: REVOKE_PATH,
    title: 'Revoke the former certificate',
    description:
      "After a change of the identity provider's certificate, answers signed with the former one are still accepted. This action ends that.",
    irrevocable: true,
  },
];

/** Reads come from Postgres; a change is a command to the settings worker, which answers with the new document. */
export const settingsEndpoints: Endpoint[] = [
  ...settingsDefinitions.flatMap((definition) =>
    namesOf(definition).flatMap((name) => endpointsOf(definition, name)),
  ),
  endpoint({
    method: 'POST',
    alsoMethods: ['PUT'],
    path: REVOKE_PATH,
    access: 'policy',
    summary: 'Stop accepting the former certificate of the identity provider',
    isConditional: true,
    handle: async (request) => {
      const command = { name: 'revoke-old-certificate', body: askedBy(request) };
      noteChanges(request, await request.services.commands.call('settings', command));
      return answerSettings(request, samlSettings, ownName(samlSettings));
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
      summary: `Read the ${definition.kind} settings of the installation`,
      handle: (request) => answerSettings(request, definition, name),
    }),
    endpoint({
      method: 'PATCH',
      path,
      access: 'policy',
      summary: `Change the ${definition.kind} settings; absent attributes keep their values`,
      isConditional: true,
      body: Type.Unknown(),
      describedBody: changeSchema(definition, name),
      handle: async (request) => {
        const { services, body } = request;
        const { id, attributes } = await readChange(services, body);
        refuseOtherId(id, name.id);
        const asked = { kind: definition.kind, attributes, ...askedBy(request) };
        const reply = await services.commands.call('settings', { name: 'update-settings', body: asked });
        noteChanges(request, reply);
        return warned(
          await answerSettings(request, definition, name),
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

// A worker of an older version does not tell the changes.
function noteChanges({ note }: ApiRequest, reply: unknown): void {
  const { changes } = reply as { changes?: unknown };
  note({ changed: changes ?? 'unknown' });
}

// What the worker needs to know about the caller.
function askedBy({ caller, header }: ApiRequest): { author: string; ifMatch: string } {
  return { author: caller.token.display_name, ifMatch: header('if-match') };
}

// Answers with the document as it is now, which may include a later change. So the answer and its ETag belong together.
async function answerSettings(
  { services }: ApiRequest,
  definition: SettingsDefinition,
  name: DocumentName,
): Promise<Reply> {
  const document = await loadDocument(services, definition);
  const data = presentSettings(definition, name, document, services.config);
  return { status: 200, data, headers: { ETag: etagOf(document) } };
}
