import { Type } from 'typebox';
import type { Database } from '../../../../libs/db/connect.ts';
import { transact } from '../../../../libs/db/transact.ts';
import { findDestination, type DestinationRow } from '../../../../libs/store/destinations/destinations.ts';
import { pauseDestination, resumeDestination } from '../../../../libs/store/destinations/pauses.ts';
import { pausedDestinationAnswer } from '../../contract/destinations.ts';
import { endpoint, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { answerDestination, nameOf, noDestination, requireNamed } from '../named-destination.ts';
import { endOfPause, pauseReason, pauseUntil, givenReason, requireUnpaused } from '../pause-reason.ts';

const PATH = '/sys/sync/destinations/:type/:name';

/** Pausing a destination: a state, not a setting, so that no tool that applies settings resumes it. */
export const destinationPauseEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    alsoMethods: ['PUT'],
    path: `${PATH}/pause`,
    access: 'policy',
    summary:
      'Pause a destination: its changes are kept and wait; nothing is written to or deleted from the store until it is resumed',
    answers: { 200: { data: pausedDestinationAnswer } },
    takesIfNoneMatch: true,
    body: Type.Object({ reason: pauseReason, until: pauseUntil }),
    handle: async (request) => {
      const reason = givenReason(request.body.reason);
      const end = endOfPause(request.body.until);
      const by = request.caller.token.display_name;
      request.note({ reason, until: end && end.toISOString() });
      return change(request, 'paused', async (transaction, { id, pause }) => {
        requireUnpaused(request.header('if-none-match'), pause, nameOf(requireNamed(request)));
        await pauseDestination(transaction, id, { by, reason, until: end });
      });
    },
  }),
  endpoint({
    method: 'POST',
    alsoMethods: ['PUT'],
    path: `${PATH}/resume`,
    access: 'policy',
    summary: 'Resume a destination that is paused: what has waited is synced now',
    answers: { 200: { data: pausedDestinationAnswer } },
    body: Type.Object({}),
    handle: (request) => change(request, 'resumed', resumeDestination),
  }),
];

async function change(
  request: ApiRequest,
  kind: 'paused' | 'resumed',
  apply: (transaction: Database, row: DestinationRow) => Promise<void>,
) {
  const { services, namespace } = request;
  const named = requireNamed(request);
  const { before, row } = await transact(services.db, async (transaction) => {
    const found = await findDestination(transaction, named.key, 'update');
    if (!found) throw noDestination(request);
    await apply(transaction, found);
    return { before: found, row: await findDestination(transaction, named.key) };
  });
  if (!row) throw noDestination(request);
  const wasPaused = before.pause !== null;
  const isChanged = wasPaused || row.pause !== null;
  request.note({ change: isChanged ? kind : 'none' });
  const data = { namespace: namespace.path, type: row.type, name: row.name, change: kind };
  if (isChanged) services.events.send({ name: 'destination.changed', data });
  const answer = answerDestination(row, named);
  return { ...answer, data: { ...answer.data, was_paused: wasPaused } };
}
