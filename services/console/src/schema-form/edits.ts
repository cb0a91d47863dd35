import { useState } from 'react';
import type { ChangedAnswer } from '../../../api/contract/answers.ts';
import { ApiFailure } from '../api/failure.ts';
import { useAttempt } from '../kit/attempt.ts';
import type { Edits } from './schema-form.tsx';

/** A stored document as it reads. */
export type Stored = ChangedAnswer & { values: Record<string, unknown> };

/**
 * What a person has typed over a stored document. Meanwhile `shown` stays what the person began with, so that nothing
 * changes while typing; `isOvertaken` tells that somebody else has stored another one.
 */
export function useEdits(
  stored: Stored,
  {
    save,
    reload,
  }: { save: (edits: Edits, revision: string) => Promise<void>; reload: () => Promise<unknown> },
) {
  const [edits, setEdits] = useState<Edits>({});
  const [begun, setBegun] = useState<Stored | null>(null);
  const [saved, setSaved] = useState(false);
  const { busy, failure, attempt } = useAttempt();
  const shown = begun ?? stored;
  const isLate = isOvertaking(failure);

  const edit = (next: Edits): void => {
    setSaved(false);
    setEdits(next);
    setBegun(Object.keys(next).length > 0 ? shown : null);
  };
  const submit = async (): Promise<void> => {
    const isSaved = await attempt(async () => {
      try {
        await save(edits, shown.revision);
      } catch (error) {
        if (isOvertaking(error)) await reload();
        throw error;
      }
      edit({});
    });
    setSaved(isSaved);
  };
  return {
    edits,
    shown,
    saved,
    busy,
    // The two beside each other say more.
    failure: isLate ? null : failure,
    // What is being saved here is nobody else's.
    isOvertaken: !busy && shown.revision !== stored.revision,
    isTouched: Object.keys(edits).length > 0,
    edit,
    submit,
    /** Keeps what was typed, over what is stored now. */
    goOn: () => setBegun(stored),
  };
}

function isOvertaking(error: unknown): boolean {
  return error instanceof ApiFailure && error.status === 412;
}
