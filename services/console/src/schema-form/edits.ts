import { useState } from 'react';
import type { ChangedAnswer } from '../../../api/contract/destinations.ts';
import { ApiFailure, isOvertaking, type Problem } from '../api/failure.ts';
import { useAttempt } from '../kit/attempt.ts';
import { useUnsaved } from '../kit/leaving/unsaved.ts';
import { useMissingSecrets } from './missing.ts';
import type { Edits } from './schema-form.tsx';

const NOT_SAVED = 'Not saved.';

/** A stored document, as the API shows it. */
export type Stored = ChangedAnswer & { values: Record<string, unknown> };

type Calls = {
  /** Returns what the API warns of. */
  save: (edits: Edits, revision: string) => Promise<string[]>;
  reload: () => Promise<unknown>;
  /** Faults for which no call is needed. */
  findFaults?: (typed: { values: Record<string, unknown>; edits: Edits }) => Problem[];
};

/**
 * What the user has typed over a stored document. `shown` stays the document with which the user began, so that nothing
 * changes while typing; `isOvertaken`: someone else has stored another one meanwhile.
 */
export function useEdits(stored: Stored, { save, reload, findFaults = () => [] }: Calls) {
  const [edits, setEdits] = useState<Edits>({});
  const [begun, setBegun] = useState<Stored | null>(null);
  const { saved, busy, failure, attempt, clear, setSaved, ...outcome } = useOutcome();
  const shown = begun ?? stored;
  const missing = useMissingSecrets();
  const isTouched = Object.keys(edits).length > 0;
  useUnsaved(isTouched);
  const isLate = isOvertaking(failure);

  const edit = (next: Edits): void => {
    clear();
    setEdits(next);
    setBegun(Object.keys(next).length > 0 ? shown : null);
  };
  const submit = async (make = save): Promise<void> => {
    clear();
    let warnings: string[] = [];
    const isSaved = await attempt(async () => {
      try {
        warnings = await make(edits, shown.revision);
      } catch (error) {
        if (isOvertaking(error)) await reload();
        throw error;
      }
      edit({});
    });
    setSaved(isSaved ? warnings : null);
  };
  return {
    edits,
    shown,
    /** Who stored last what is there now, and when. */
    last: { by: stored.changed_by, at: stored.changed_at },
    /** What the API warned of when it was saved; null: it was not. */
    saved,
    busy,
    // Both changes side by side say more than this failure.
    failure: isLate ? null : failure,
    // While we save, a new revision is our own.
    isOvertaken: !busy && shown.revision !== stored.revision,
    /** The user has learned of that by a save that was refused. */
    isLate,
    isTouched,
    edit,
    submit,
    noteMissing: missing.note,
    /** Whether no fault can be seen here; otherwise the form shows it, and what it prevented. */
    isComplete: (prevented?: string): boolean =>
      outcome.pass([...missing.problems(), ...findFaults({ values: shown.values, edits })], prevented),
    /** Forgets how the last attempt ended. */
    clear,
    ...outcome,
    /** Keeps what the user typed, based on what is stored now. */
    goOn: () => setBegun(stored),
  };
}

// How the last attempt ended.
function useOutcome() {
  const [saved, setSaved] = useState<string[] | null>(null);
  const [said, setSaid] = useState(NOT_SAVED);
  const { forget, ...attempting } = useAttempt();
  const clear = (): void => {
    setSaved(null);
    setSaid(NOT_SAVED);
    forget();
  };
  const refuse = (refusal: unknown, prevented = NOT_SAVED): void => {
    clear();
    setSaid(prevented);
    void attempting.attempt(async () => {
      throw refusal;
    });
  };
  return {
    ...attempting,
    saved,
    setSaved,
    clear,
    /** What a refusal prevented, as the beginning of the sentence that names the wrong fields. */
    said,
    /** Shows a refusal of what the user typed that another call brought. */
    refuse,
    /** Shows problems as a refusal; true if there are none. */
    pass: (problems: Problem[], prevented?: string): boolean => {
      if (problems.length > 0) refuse(new ApiFailure({ status: 400, problems }), prevented);
      return problems.length === 0;
    },
  };
}
