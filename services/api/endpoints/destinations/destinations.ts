import { Type } from 'typebox';
import type { Destination } from '../../../../libs/connector/contract.ts';
import { identityModeOf, stepsOfCheck } from '../../../../libs/connector/identity/identity.ts';
import type { CheckResult } from '../../../../libs/commands/connector-commands.ts';
import { notFound } from '../../../../libs/errors/request-error.ts';
import { lookUpDestination, listDestinations } from '../../../../libs/store/destinations/destinations.ts';
import { openSecrets } from '../../../../libs/store/destinations/write.ts';
import { mustBeNew } from '../../../../libs/validation/preconditions.ts';
import { findDestinationType } from '../../../connectors/catalog.ts';
import { endpoint, ok, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { readObject } from '../../routing/read-object.ts';
import { draftCommand, readDraft } from './draft.ts';
import { answerDestination, findNamed, requireDestination, requireNamed } from '../named-destination.ts';
import {
  credentialsAnswer,
  destinationAnswer,
  destinationListAnswer,
  destinationsOfTypeAnswer,
} from '../../contract/destinations.ts';
import { checkAnswer, type CheckAnswer } from '../../contract/plans.ts';

const PATH = '/sys/sync/destinations';

/** What destinations there are, and whether they work. */
export const destinationEndpoints: Endpoint[] = [
  endpoint({
    method: 'LIST',
    path: PATH,
    access: 'policy',
    summary: 'List the names of all destinations by type',
    answers: { 200: { data: destinationListAnswer } },
    handle: async ({ services, namespace }) => {
      const rows = await listDestinations(services.db, namespace.id);
      if (rows.length === 0) throw notFound();
      const keyInfo = new Map<string, string[]>();
      for (const { type, name } of rows) keyInfo.set(`${type}/`, [...(keyInfo.get(`${type}/`) ?? []), name]);
      return ok({
        keys: [...keyInfo.keys()],
        key_info: Object.fromEntries(keyInfo),
        total_destinations: rows.length,
      });
    },
  }),
  endpoint({
    method: 'LIST',
    path: `${PATH}/:type`,
    access: 'policy',
    summary: 'List the names of the destinations of one type',
    answers: { 200: { data: destinationsOfTypeAnswer } },
    handle: async ({ services, namespace, params }) => {
      const type = findDestinationType(params['type'] ?? '');
      const rows = type ? await listDestinations(services.db, namespace.id, type.type) : [];
      if (rows.length === 0) throw notFound();
      return ok({ keys: rows.map(({ name }) => name), total_destinations: rows.length });
    },
  }),
  endpoint({
    method: 'GET',
    path: `${PATH}/:type/:name`,
    access: 'policy',
    summary: 'Read a destination; sensitive settings are shown as *****',
    answers: { 200: { data: destinationAnswer } },
    handle: async (request) => {
      const named = findNamed(request);
      const row = named && (await lookUpDestination(request.services.db, named.key));
      if (!named || !row) throw notFound();
      return answerDestination(row, named);
    },
  }),
  endpoint({
    method: 'GET',
    path: `${PATH}/:type/:name/credentials`,
    access: 'policy',
    summary:
      'Read which credentials a destination uses: what names them, such as the ID of a key, and no secret',
    answers: { 200: { data: credentialsAnswer } },
    handle: async (request) => {
      const { type, spelling, row } = await requireDestination(request);
      const settings = { ...row.settings, ...openSecrets(request.services.keyring, row) };
      return ok({ store_type: spelling, store_name: row.name, in_use: type.credentialIds?.(settings) ?? {} });
    },
  }),
  endpoint({
    method: 'POST',
    alsoMethods: ['PUT'],
    path: `${PATH}/:type/:name/check`,
    access: 'policy',
    summary:
      'Test the credentials of a destination against the external store; fields in the body are tested without being stored',
    answers: { 200: { data: checkAnswer } },
    takesIfNoneMatch: true,
    describedBody: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'Fields of a PATCH, or of a POST if the destination does not exist yet. Empty: the destination as stored, unless it must not exist.',
    }),
    handle: async (request) => {
      const { commands } = request.services;
      const fields = readObject(request.rawBody);
      if (Object.keys(fields).length === 0 && !mustBeNew(request.header('if-none-match'))) {
        const { type, row } = await requireDestination(request);
        const settings = { ...row.settings, ...openSecrets(request.services.keyring, row) };
        const result = await commands.call(`connector.${type.type}`, 'check', { destination: row.id });
        noteCheck(request, result);
        return ok(presentCheck(type, settings, result));
      }
      const named = requireNamed(request);
      const draft = await draftCommand(request, await readDraft(request, named, fields));
      const result = await commands.call(`connector.${named.type.type}`, 'check', { draft });
      noteCheck(request, result);
      return ok(presentCheck(named.type, draft.settings, result));
    },
  }),
];

function noteCheck(request: ApiRequest, { ok: isOk, cause }: CheckResult): void {
  request.note({ tested: { ok: isOk, ...(cause ? { cause: cause.code } : {}) } });
}

function presentCheck(
  type: Destination,
  settings: Record<string, unknown>,
  { step = null, ...result }: CheckResult,
): CheckAnswer {
  return { ...result, mode: identityModeOf(type, settings), steps: stepsOfCheck(type, settings), step };
}
