import { useState, type ReactNode } from 'react';
import type { ChangedAnswer } from '../../../../api/contract/destinations.ts';
import type { FieldAnswer } from '../../../../api/contract/forms.ts';
import { ApiFailure } from '../../api/failure.ts';
import { isSame } from '../fields.ts';
import type { Edits } from '../schema-form.tsx';
import { Beside } from './beside.tsx';

type Values = Record<string, unknown>;

/** What is stored now, and who changed it last, where the API says so. */
export type Present = { values: Values } & Partial<ChangedAnswer>;

/** Keeps a dialog from saving over a change that its user has not seen. */
export type Meanwhile = {
  /** Whether somebody else has changed what is stored. Throws ApiFailure, also if it is gone. */
  isOvertaken: () => Promise<boolean>;
  /** Both changes side by side, with the choice; null: there is nothing to choose. */
  notice: ReactNode;
};

/**
 * What is stored, as a dialog began with it: a later read does not change it while its user types. `reread` reads it anew
 * before it is saved; absent: nothing is stored yet. `rebase`: the user goes on with what someone else has stored.
 */
export function useBegun<Stored>({
  fields,
  stored,
  describe,
  reread,
  yoursOver,
  rebase = () => undefined,
  close,
}: {
  fields: FieldAnswer[];
  stored: Stored;
  describe: (stored: Stored) => Present;
  reread: (() => Promise<Stored>) | undefined;
  /** What the user has changed of it. */
  yoursOver: (begun: Stored) => Edits;
  rebase?: (theirs: Stored, begun: Stored) => void;
  close: () => void;
}): { begun: Stored; meanwhile: Meanwhile } {
  const [first, setFirst] = useState(stored);
  const [theirs, setTheirs] = useState<{ stored: Stored } | null>(null);
  const begun = reread ? first : stored;
  const { values } = describe(begun);
  const isOvertaken = async (): Promise<boolean> => {
    if (!reread) return false;
    const now = await reread().catch(tellGone);
    const present = describe(now).values;
    const isUnchanged = fields.every(({ name }) => isSame(values[name], present[name]));
    setTheirs(isUnchanged ? null : { stored: now });
    return !isUnchanged;
  };
  const goOn = (now: Stored): void => {
    setFirst(now);
    setTheirs(null);
    rebase(now, begun);
  };
  const notice = theirs && (
    <Beside
      fields={fields}
      before={values}
      theirs={describe(theirs.stored)}
      yours={yoursOver(begun)}
      goOn={() => goOn(theirs.stored)}
      giveUp={close}
    />
  );
  return { begun, meanwhile: { isOvertaken, notice } };
}

/** What differs of some values, as the edits that lead to them. */
export function editsBetween(before: Values, now: Values): Edits {
  return Object.fromEntries(Object.entries(now).filter(([name, value]) => !isSame(value, before[name])));
}

/** Takes over what someone else has stored, where the user has typed nothing over it. */
export function rebased<Typed extends object>(
  typed: Typed,
  { before, now }: { before: Typed; now: Typed },
): Typed {
  const own = Object.entries(editsBetween(before as Values, typed as Values));
  return { ...now, ...Object.fromEntries(own) };
}

/** What a dialog says of a thing that no longer exists. */
export const GONE = 'Someone else deleted this meanwhile. Nothing was saved.';

function tellGone(failure: unknown): never {
  if (!(failure instanceof ApiFailure) || failure.status !== 404) throw failure;
  throw failure.withProblems([{ detail: GONE }]);
}

/** The refusal of a read that finds a thing no more. */
export const absent = (): ApiFailure => new ApiFailure({ status: 404, problems: [{ detail: GONE }] });
