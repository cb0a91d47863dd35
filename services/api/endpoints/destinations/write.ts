import type { Destination } from '../../../../libs/connector/contract.ts';
import { canTellOwner } from '../../../../libs/connector/marks.ts';
import type { Database } from '../../../../libs/db/connect.ts';
import { transact } from '../../../../libs/db/transact.ts';
import { conflict } from '../../../../libs/errors/request-error.ts';
import { requireAbsent, requireMatch } from '../../../../libs/validation/preconditions.ts';
import { isNameTaken } from '../../../../libs/store/associations/entries.ts';
import {
  findDestination,
  lookUpDestination,
  type DestinationRow,
} from '../../../../libs/store/destinations/destinations.ts';
import { areNamesTaken, type Move } from '../../../../libs/store/destinations/move.ts';
import {
  insertDestination,
  openSecrets,
  updateDestination,
} from '../../../../libs/store/destinations/write.ts';
import type { AttributeChange } from '../../../../libs/validation/changes.ts';
import { endpoint, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { readObject } from '../../routing/read-object.ts';
import {
  answerDestination,
  findNamed,
  nameOf,
  noDestination,
  refuseWhilePurging,
  requireNamed,
  warnOf,
  type NamedDestination,
} from '../named-destination.ts';
import { requireApp } from './app.ts';
import {
  changesOf,
  fieldsBefore,
  isSameConnection,
  isSameOtherwise,
  keepsDecisions,
  optionsBefore,
} from './changes.ts';
import { collisionWarnings } from '../associations/name-collisions.ts';
import { compose } from './compose.ts';
import { bodyOf } from './document.ts';
import { refuseKeptSecrets } from './address.ts';
import { refuseFixed } from './fixed.ts';
import { chosenWhenNew } from './when-new.ts';
import { destinationAnswer } from '../../contract/destinations.ts';

const PATH = '/sys/sync/destinations/:type/:name';

/** `changed`: what became of each field, for the audit trail. */
type Written = {
  row: DestinationRow;
  unknown: string[];
  warnings: string[];
  change: 'created' | 'updated' | 'none';
  changed: Record<string, AttributeChange>;
};

/** Creating and changing destinations. Credentials need not work: `check` tries them. */
export const destinationWriteEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    alsoMethods: ['PUT'],
    path: PATH,
    access: 'policy',
    summary: 'Create a destination, or replace its settings',
    answers: { 200: { data: destinationAnswer } },
    isConditional: true,
    takesIfNoneMatch: true,
    exists: async (request) => {
      const named = findNamed(request);
      return named !== undefined && (await lookUpDestination(request.services.db, named.key)) !== undefined;
    },
    handle: (request) => write(request, replace),
  }),
  endpoint({
    method: 'PATCH',
    path: PATH,
    access: 'policy',
    summary: 'Change some fields of a destination; null removes a field, tags_to_remove removes tags',
    answers: { 200: { data: destinationAnswer } },
    isConditional: true,
    handle: (request) => write(request, merge),
  }),
];

type Write = (transaction: Database, request: ApiRequest, named: NamedDestination) => Promise<Written>;

async function write(request: ApiRequest, apply: Write) {
  const { services, namespace } = request;
  const named = requireNamed(request);
  const { row, change, changed, ...composed } = await transact(services.db, (transaction) =>
    apply(transaction, request, named),
  ).catch((error: unknown) => {
    if (!isNameTaken(error)) throw error;
    throw namesTaken();
  });
  warnOf(request, composed);
  const isRenamed = 'secret_name_template' in changed || 'granularity' in changed;
  if (change === 'updated' && isRenamed)
    for (const warning of await collisionWarnings(request, named, row)) request.warn(warning);
  if (change !== 'none') {
    const data = { namespace: namespace.path, type: row.type, name: row.name, change };
    services.events.send({ name: 'destination.changed', data });
  }
  request.note({ change, ...(change === 'none' ? {} : { changed }) });
  return answerDestination(row, named);
}

function namesTaken(): Error {
  return conflict('in the new container, other associations already use external names of this destination');
}

async function replace(
  transaction: Database,
  request: ApiRequest,
  named: NamedDestination,
): Promise<Written> {
  const present = await findDestination(transaction, named.key, 'update');
  requireAbsent(request.header('if-none-match'), present, nameOf(named));
  if (present) return update(transaction, request, named, present, chosenWhenNew(named.type, present));
  requireMatch(request.header('if-match'), undefined, nameOf(named));
  const { document, unknown, warnings } = compose(request, named, { body: readObject(request.rawBody) });
  await requireApp(transaction, request, named, { document, lock: true });
  const author = request.caller.token.display_name;
  const row = await insertDestination(transaction, request.services.keyring, named.key, { document, author });
  // Another request has just created the destination, so we replace it.
  return row
    ? {
        row,
        unknown,
        warnings,
        change: 'created',
        changed: changesOf(request, named, { before: {}, document }),
      }
    : replace(transaction, request, named);
}

async function merge(transaction: Database, request: ApiRequest, named: NamedDestination): Promise<Written> {
  const present = await findDestination(transaction, named.key, 'update');
  if (!present) throw noDestination(request);
  return update(transaction, request, named, present, bodyOf(present, request.services.config.NAME_PREFIX));
}

async function update(
  transaction: Database,
  request: ApiRequest,
  named: NamedDestination,
  present: DestinationRow,
  base: Record<string, unknown>,
): Promise<Written> {
  requireMatch(request.header('if-match'), present, nameOf(named));
  refuseWhilePurging(present);
  const body = readObject(request.rawBody);
  const { document, ...composed } = compose(request, named, { present, base, body });
  refuseKeptSecrets(named.type, { present, document, body });
  await requireApp(transaction, request, named, { document, lock: true });
  const { keyring } = request.services;
  const secretsOf = (): Record<string, unknown> => openSecrets(keyring, present);
  const isReconnected = !isSameConnection(present, document, secretsOf);
  // A repeated call with the same content must not make the worker look at every association again. While the destination
  // fails, the same credentials may have been allowed again at the store.
  const isGivenAgain =
    present.failures > 0 && Object.keys(document.secrets).some((name) => Object.hasOwn(body, name));
  if (!isReconnected && !isGivenAgain && isSameOtherwise(present, document))
    return { ...composed, row: present, change: 'none', changed: {} };
  await refuseFixed(transaction, named.type, { present, document, secretsOf });
  const before = { ...fieldsBefore(present, document, secretsOf), ...optionsBefore(present, document) };
  const changed = changesOf(request, named, { before, document });
  const move = moveOf(named.type);
  const isTaken =
    present.container !== document.container &&
    (await areNamesTaken(transaction, present.id, document.container));
  if (isTaken) throw namesTaken();
  const row = await updateDestination(transaction, keyring, {
    row: present,
    document,
    author: request.caller.token.display_name,
    move,
    isReconnected,
    keepsDecisions: keepsDecisions(present, document, secretsOf),
    limit: request.services.config.BATCH_ROWS,
  });
  return { ...composed, row, change: 'updated', changed };
}

// Even if the settings name the same container, the credentials may lead to another one.
function moveOf(type: Destination): Move {
  if (type.followsContainer) return 'follow';
  return canTellOwner(type) ? 'ask' : 'trust';
}
