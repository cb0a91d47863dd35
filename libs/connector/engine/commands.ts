import { Type } from 'typebox';
import { badRequest, unavailable } from '../../errors/request-error.ts';
import type { CommandHandler } from '../../queue/commands.ts';
import { findLedger } from '../../store/orders/ledger.ts';
import { createValidator } from '../../validation/validator.ts';
import type { Session } from '../contract.ts';
import { withLimit } from './limit.ts';
import type { EngineParts } from './parts.ts';
import { logged } from './task.ts';
import { compareEntries, driftOf } from './verify.ts';

const checkBody = createValidator(Type.Object({ destination: Type.Integer() }));
const verifyBody = createValidator(Type.Object({ association: Type.Integer() }));

/** What the API may ask of a connector worker: `check` tries a destination's credentials, `verify` looks for drift. */
export function createCommandHandlers(parts: EngineParts): Record<string, CommandHandler> {
  // Of a store that hangs, one is enough: the commands of all destinations share a few places.
  const verifying = new Set<number>();

  return {
    check: async (body) => {
      const checked = checkBody(body);
      if ('faults' in checked) throw badRequest('the command is malformed');
      try {
        const session = await openNewest(checked.value.destination, parts);
        await withLimit(parts.context.config.CALL_TIMEOUT, parts.stop, (signal) => session.check(signal));
        return { ok: true, cause: null };
      } catch (error) {
        return { ok: false, cause: logged(error, parts).cause };
      }
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
        const session = await openNewest(destinationId, parts);
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

async function openNewest(destinationId: number, parts: EngineParts): Promise<Session> {
  const row: { revision: number } | undefined = await parts.context
    .db('destinations')
    .where({ id: destinationId })
    .first('revision');
  return parts.sessions.get(destinationId, row?.revision ?? 0);
}
