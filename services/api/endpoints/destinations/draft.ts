import { permissionDenied } from '../../../../libs/errors/request-error.ts';
import {
  findTemplate,
  lookUpDestination,
  type DestinationOptions,
  type DestinationRow,
} from '../../../../libs/store/destinations/destinations.ts';
import { openSecrets, type DestinationDocument } from '../../../../libs/store/destinations/write.ts';
import { findFirstMount } from '../../../../libs/store/secrets/mounts.ts';
import type { DraftDestination } from '../../../../libs/commands/connector-commands.ts';
import { mustBeNew, requireAbsent } from '../../../../libs/validation/preconditions.ts';
import type { ApiRequest } from '../../routing/endpoint.ts';
import { refuseKeptSecrets } from './address.ts';
import { requireApp } from './app.ts';
import { areNamesChanged, collisionWarnings } from '../associations/name-collisions.ts';
import { nameOf, warnOf, type NamedDestination } from '../named-destination.ts';
import { keepsDecisions } from './changes.ts';
import { compose } from './compose.ts';
import { bodyOf } from './document.ts';
import { refuseFixed } from './fixed.ts';

/** A destination as a plan sees it: a stored one, or a draft. `id` 0: it is not stored yet. */
export type PlannedDestination = DestinationOptions & {
  id: number;
  name: string;
  /** The external container. */
  container: string;
  /** The destination would write to another container than now. The ledger says nothing about that container. */
  isMoved: boolean;
};

/** The destination that the fields of a call describe. Nothing is stored. */
export type Draft = {
  destination: PlannedDestination;
  document: DestinationDocument;
  /** What people decided about entries outlasts the change. */
  keepsDecisions: boolean;
};

/** A stored destination without a change. */
export function asStored(row: DestinationRow): PlannedDestination {
  return { ...row, isMoved: false };
}

/**
 * The destination after a PATCH with these fields, or after a POST if there is none or must be none. The caller must have
 * the right to make that change, because a worker will act on it. Throws 403, and 400 and 412 as the change would.
 */
export async function readDraft(
  request: ApiRequest,
  named: NamedDestination,
  body: Record<string, unknown>,
): Promise<Draft> {
  const { db, keyring, config } = request.services;
  const present = await lookUpDestination(db, named.key);
  const condition = request.header('if-none-match');
  requireWritable(request, named, present !== undefined && !mustBeNew(condition));
  requireAbsent(condition, present, nameOf(named));
  const base = present ? bodyOf(present, config.NAME_PREFIX) : {};
  const { document, ...composed } = compose(request, named, { ...(present ? { present } : {}), base, body });
  warnOf(request, composed);
  await requireApp(db, request, named, { document });
  const secretsOf = (): Record<string, unknown> => (present ? openSecrets(keyring, present) : {});
  if (present) {
    refuseKeptSecrets(named.type, { present, document, body });
    await refuseFixed(db, named.type, { present, document, secretsOf });
  }
  const isElsewhere = present !== undefined && present.container !== document.container;
  const destination = {
    ...document.options,
    id: present?.id ?? 0,
    name: named.key.name,
    container: document.container,
    isMoved: isElsewhere && named.type.followsContainer !== true,
  };
  if (present && areNamesChanged(present, document.options))
    for (const warning of await collisionWarnings(request, named, destination)) request.warn(warning);
  return {
    destination,
    document,
    keepsDecisions: present !== undefined && keepsDecisions(present, document, secretsOf),
  };
}

/** The draft as it is sent to a worker, with its credentials: commands are sealed. */
export async function draftCommand(
  { services, namespace }: ApiRequest,
  { destination, document }: Draft,
): Promise<DraftDestination> {
  const known = destination.id === 0 ? undefined : await findTemplate(services.db, destination.id);
  const mount = known ? undefined : await findFirstMount(services.db, namespace.id);
  return {
    name: destination.name,
    namespaceId: namespace.id,
    namespace: namespace.path,
    settings: { ...document.settings, ...document.secrets },
    template: destination.secret_name_template,
    granularity: destination.granularity,
    mountPath: known?.mountPath ?? mount?.path ?? null,
    mountAccessor: known?.mountAccessor ?? mount?.accessor ?? null,
  };
}

function requireWritable(
  { may, path }: ApiRequest,
  { spelling, key }: NamedDestination,
  isThere: boolean,
): void {
  const destinationPath = `sys/sync/destinations/${spelling}/${key.name}`;
  const needed = isThere ? (['patch', 'update'] as const) : (['create'] as const);
  if (needed.some((capability) => may(destinationPath, capability))) return;
  throw permissionDenied(
    `${path} with settings needs the capability ${needed.join(' or ')} on ${destinationPath}`,
  );
}
