import { randomBytes } from 'node:crypto';
import { Type } from 'typebox';
import { badRequest, unavailable } from '../errors/request-error.ts';
import type { CommandHandler } from '../queue/commands.ts';
import { findSettingsDigest, findTemplate } from '../store/destinations/destinations.ts';
import { clearFailure } from '../store/orders/probes.ts';
import { findLedger } from '../store/orders/ledger.ts';
import type { Cause } from '../store/orders/order.ts';
import { createValidator } from '../validation/validator.ts';
import { externalName } from '../connector/names.ts';
import { logged, withLimit, type EngineParts } from './push/call.ts';
import { compareEntries, driftOf } from './push/verify.ts';

const checkBody = createValidator(Type.Object({ destination: Type.Integer() }));
const verifyBody = createValidator(Type.Object({ association: Type.Integer() }));

type Checked = { ok: boolean; cause: Cause | null };

/** What the API may ask of a connector worker: `check` tries a destination's credentials, `verify` looks for drift. */
export function createCommandHandlers(parts: EngineParts): Record<string, CommandHandler> {
  // Of a store that hangs, one of each is enough: the commands of all destinations share the few that a worker carries out at a time.
  const checking = new Map<string, Promise<Checked>>();
  const verifying = new Set<number>();

  return {
    check: async (body) => {
      const checked = checkBody(body);
      if ('faults' in checked) throw badRequest('the command is malformed');
      const { destination } = checked.value;
      const digest = await findSettingsDigest(parts.context.db, destination);
      const key = `${destination}/${digest}`;
      const answer =
        checking.get(key) ?? check(destination, digest, parts).finally(() => checking.delete(key));
      checking.set(key, answer);
      return answer;
    },
    verify: async (body) => {
      const checked = verifyBody(body);
      if ('faults' in checked) throw badRequest('the command is malformed');
      const ledger = await findLedger(parts.context.db, checked.value.association);
      const [first] = ledger;
      if (!first) return { entries: [] };
      const { destinationId } = first;
      if (verifying.has(destinationId))
        throw unavailable('another secret of this destination is being verified: try again in a moment');
      verifying.add(destinationId);
      try {
        const digest = await findSettingsDigest(parts.context.db, destinationId);
        const { session } = await parts.sessions.get(destinationId, digest);
        return { entries: await compareEntries(ledger, session, parts) };
      } catch (error) {
        const { cause } = logged(error, parts);
        return { entries: ledger.map((line) => driftOf(line, 'unknown', cause)) };
      } finally {
        verifying.delete(destinationId);
      }
    },
  };
}

async function check(destinationId: number, digest: string, parts: EngineParts): Promise<Checked> {
  try {
    const { session } = await parts.sessions.get(destinationId, digest);
    const name = await probeName(destinationId, parts);
    await withLimit(parts.context.config.CALL_TIMEOUT, parts.stop, (signal) => session.check(signal, name));
    await clearFailure(parts.context.db, destinationId);
    parts.notifyWorkers(destinationId);
    return { ok: true, cause: null };
  } catch (error) {
    return { ok: false, cause: logged(error, parts).cause };
  }
}

// A name of the destination's own template that no secret has: rights may be limited to such names. What a check tries on it
// would change an entry of that name, so it must hold the random part.
async function probeName(destinationId: number, { context, destination }: EngineParts): Promise<string> {
  const random = randomBytes(16).toString('hex');
  const unique = `sealift-check-${random}`;
  const row = await findTemplate(context.db, destinationId);
  if (!row) return unique;
  const { mountPath, mountAccessor } = row;
  const named = externalName({
    type: destination,
    destination: { name: row.name, template: row.template },
    namespace: { id: row.namespaceId, path: row.namespace },
    mount: { path: mountPath ?? 'check', accessor: mountAccessor ?? 'check' },
    secretPath: unique,
    subKey: row.granularity === 'secret-key' ? unique : '',
  });
  return 'name' in named && named.name.toLowerCase().includes(random) ? named.name : unique;
}
