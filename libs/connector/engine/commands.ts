import { Type } from 'typebox';
import { badRequest } from '../../errors/request-error.ts';
import type { CommandHandler } from '../../queue/commands.ts';
import { findLedger, type LedgerLine } from '../../store/orders/ledger.ts';
import { createValidator } from '../../validation/validator.ts';
import type { Cause } from '../../store/orders/order.ts';
import type { Session } from '../contract.ts';
import { fingerprint } from '../../crypto/fingerprint.ts';
import { mapLimited, withLimit } from './limit.ts';
import type { EngineParts } from './parts.ts';
import { logged } from './task.ts';

const WIDTH = 8;
// Clocks of stores and ours differ; only a change later than this after our own write is somebody else's.
const CLOCK_TOLERANCE_MS = 60_000;

const checkBody = createValidator(Type.Object({ destination: Type.Integer() }));
const verifyBody = createValidator(Type.Object({ association: Type.Integer() }));

/** How an external entry compares with what we wrote. `present`: it is there and cannot be read; `unknown`: see `cause`. */
export type Drift = {
  sub_key: string;
  external_name: string;
  state: 'in_sync' | 'drifted' | 'missing' | 'present' | 'not_written' | 'unknown';
  cause: Cause | null;
};

/** What the API may ask of a connector worker: `check` tries a destination's credentials, `verify` looks for drift. */
export function createCommandHandlers(parts: EngineParts): Record<string, CommandHandler> {
  const call = <Result>(verb: (signal: AbortSignal) => Promise<Result>): Promise<Result> =>
    withLimit(parts.context.config.CALL_TIMEOUT, parts.stop, verb);

  return {
    check: async (body) => {
      const checked = checkBody(body);
      if ('faults' in checked) throw badRequest('the command is malformed');
      try {
        const session = await openNewest(checked.value.destination, parts);
        await call((signal) => session.check(signal));
        return { ok: true, cause: null };
      } catch (error) {
        return { ok: false, cause: logged(error, parts).cause };
      }
    },
    verify: async (body) => {
      const checked = verifyBody(body);
      if ('faults' in checked) throw badRequest('the command is malformed');
      const ledger = await findLedger(parts.context.db, checked.value.association);
      const first = ledger[0];
      if (!first) return { entries: [] };
      try {
        const session = await openNewest(first.destinationId, parts);
        return { entries: await mapLimited(ledger, WIDTH, (line) => compare(line, session, parts, call)) };
      } catch (error) {
        const { cause } = logged(error, parts);
        return { entries: ledger.map((line) => driftOf(line, 'unknown', cause)) };
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

async function compare(
  line: LedgerLine,
  session: Session,
  parts: EngineParts,
  call: <Result>(verb: (signal: AbortSignal) => Promise<Result>) => Promise<Result>,
): Promise<Drift> {
  if (!line.held) return driftOf(line, 'not_written', null);
  try {
    const found = await call((signal) =>
      session.read({ name: line.externalName, reference: line.reference }, signal),
    );
    if (!found) return driftOf(line, 'missing', null);
    if (found.value !== null) {
      const print = fingerprint(
        parts.context.installation.hashKey,
        `entry/${line.associationId}`,
        found.value,
      );
      return driftOf(line, print.toString('hex') === line.valuePrint ? 'in_sync' : 'drifted', null);
    }
    const changed = found.changedAt && line.writtenAt && found.changedAt.getTime() - line.writtenAt.getTime();
    return driftOf(line, changed !== null && changed > CLOCK_TOLERANCE_MS ? 'drifted' : 'present', null);
  } catch (error) {
    return driftOf(line, 'unknown', logged(error, parts).cause);
  }
}

function driftOf(line: LedgerLine, state: Drift['state'], cause: Cause | null): Drift {
  return { sub_key: line.subKey, external_name: line.externalName, state, cause };
}
