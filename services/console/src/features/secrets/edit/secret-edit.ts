import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { carryOut } from '../../../api/client.ts';
import type { Call } from '../../../api/curl.ts';
import { ApiFailure, isMissing } from '../../../api/failure.ts';
import { keysQuery, metadataQuery } from '../../../api/queries.ts';
import { useAttempt } from '../../../kit/attempt.ts';
import { isGone } from '../lifecycle/standing.ts';
import { reveal, revealOf } from '../reveal.ts';
import type { SecretName } from '../split-path.ts';
import { aloneOf, editOf, type Change, type Key } from './change.ts';
import {
  faultOfLeftOut,
  faultOfText,
  leftOutOf,
  parseWhole,
  writeRevealed,
  writeWhole,
  type Notation,
} from './document.ts';
import { compareValues, valuesOf } from './json.ts';
import { useKeyEdits } from './key-edits.ts';
import { useOnlyWhole } from './only-whole.ts';

const NOTHING: Change = { set: new Map(), remove: [] };

/**
 * What the user has typed over a version of a secret, key by key or as one document. `base` stays the version with which
 * the user began; `isOvertaken`: someone else has saved another one meanwhile, and `goOn` keeps what was typed over that.
 * `isDeleted`: the newest version has no values any more; `isAbsent`: the whole secret is gone.
 */
export function useSecretEdit({
  secret,
  newest,
  isDeleted,
  isAbsent,
  close,
}: {
  secret: SecretName;
  newest: number;
  isDeleted: boolean;
  isAbsent: boolean;
  close: () => void;
}) {
  const { data: newestKeys } = useQuery(keysQuery(secret.mount, secret.path, newest));
  const [base, setBase] = useState({ version: newest, keys: newestKeys ?? [] });
  const keyEdits = useKeyEdits(base.keys);
  const { compared, moveTo, ...document } = useDocument(base.keys);
  const { busy, failure, attempt } = useAttempt();
  const typed = compared ?? keyEdits.change;
  const change = 'fault' in typed ? undefined : typed;
  const faultOfKeys = 'fault' in keyEdits.change ? keyEdits.change.fault : '';
  const write = useWrite(secret);
  const isOnlyWhole = useOnlyWhole(secret);
  const whole = compared ? document.values : change?.set;
  const isWhole = isOnlyWhole && compared !== null && document.typed?.leftOut.length === 0;
  const call = callOf(secret, base.version, isWhole ? whole : undefined, change);
  const save = (what = call): Promise<boolean> =>
    attempt(async () => {
      if (await write(what, base.version, isAbsent)) close();
    });
  const goOn = (): Promise<boolean> =>
    attempt(async () => {
      if (!newestKeys || !change) return;
      if (compared) await moveTo(revealOf(secret, newest), newestKeys, change);
      keyEdits.moveTo(newestKeys);
      setBase({ version: newest, keys: newestKeys });
    });
  // While we save, a new version is our own.
  const isOvertaken = !busy && !isDeleted && newest !== base.version;
  return {
    base,
    keyEdits,
    document: { ...document, fault: compared && 'fault' in compared ? compared.fault : '' },
    /** Undefined: what was typed has a fault (`fault`). */
    change,
    fault: change ? '' : document.typed ? faultOfText(document.typed.notation) : faultOfKeys,
    call,
    /** Keys alone are refused. */
    isOnlyWhole,
    /** What was typed as a version of its own, without what the others keep. */
    alone: whole && { call: aloneOf(secret, isAbsent ? 0 : newest, whole), names: [...whole.keys()] },
    busy,
    failure,
    isOvertaken,
    isReady: newestKeys !== undefined,
    attempt,
    save,
    goOn,
  };
}

function callOf(secret: SecretName, version: number, whole?: Map<string, unknown>, change = NOTHING): Call {
  return whole ? aloneOf(secret, version, whole) : editOf(secret, version, change);
}

// Makes a call that is based on a version, or on the absence of the secret. False: someone was faster. What happened
// meanwhile is shown then, and says more than the refusal.
function useWrite({ mount, path }: SecretName) {
  const queries = useQueryClient();
  return async (call: Call, version: number, wasAbsent: boolean): Promise<boolean> => {
    let refusal: unknown = null;
    await carryOut(call).catch((error: unknown) => {
      if (!isLate(error)) throw error;
      refusal = error;
    });
    await queries.invalidateQueries();
    if (refusal === null) return true;
    const { data: now, error } = queries.getQueryState(metadataQuery(mount, path).queryKey) ?? {};
    if (isMissing(error) && !wasAbsent) return false;
    if (wasAbsent || !now || (now.current_version === version && !isGone(now, version))) throw refusal;
    return false;
  };
}

type Whole = { notation: Notation; stored: string; typed: string; leftOut: Key[] };

// The whole secret as one document, once the user asks for it.
function useDocument(keys: Key[]) {
  const [document, set] = useState<Whole | null>(null);
  return {
    typed: document,
    compared: document && compare(document),
    values: document ? valuesIn(document) : undefined,
    set: (typed: string) => set(document && { ...document, typed }),
    open: async (call: Call, notation: Notation): Promise<void> => {
      const leftOut = leftOutOf(notation, keys);
      const stored = writeRevealed(notation, await reveal(call), leftOut);
      set({ notation, stored, typed: stored, leftOut });
    },
    /** Keeps the change over the values of another version, which has `next` as its keys. */
    moveTo: async (call: Call, next: Key[], change: Change): Promise<void> => {
      if (!document) return;
      const { notation } = document;
      const leftOut = leftOutOf(notation, next);
      const revealed = await reveal(call);
      const stored = writeRevealed(notation, revealed, leftOut);
      const values = valuesOf(revealed);
      for (const { name } of leftOut) values.delete(name);
      for (const [name, value] of change.set) values.set(name, value);
      for (const name of change.remove) values.delete(name);
      const after = writeWhole(notation, values);
      if ('fault' in after) throw new Error(after.fault);
      set({ notation, stored, typed: after.text, leftOut });
    },
  };
}

function compare({ notation, stored, typed, leftOut }: Whole) {
  const [before, after] = [parseWhole(notation, stored), parseWhole(notation, typed)];
  if ('fault' in after) return after;
  const fault = faultOfLeftOut(after.values, leftOut);
  if (fault !== '') return { fault };
  return 'fault' in before ? before : compareValues(before.values, after.values);
}

function valuesIn({ notation, typed }: Whole): Map<string, unknown> | undefined {
  const parsed = parseWhole(notation, typed);
  return 'fault' in parsed ? undefined : parsed.values;
}

// Whether a write was refused because its version is not the newest any more, or is deleted.
function isLate(error: unknown): boolean {
  return error instanceof ApiFailure && (error.status === 404 || error.message.includes('check-and-set'));
}
