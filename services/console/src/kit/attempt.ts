import { useState } from 'react';

/** The state of an action: whether it is running, and how it failed. */
export type Attempt = {
  busy: boolean;
  failure: unknown;
  /** Resolves to true if the action succeeded. */
  attempt: (work: () => Promise<void>) => Promise<boolean>;
  /** Forgets the failure, because the user has changed what was refused. */
  forget: () => void;
};

/** One attempt at a time. The failure of the last one is shown until the next one begins, or until it is forgotten. */
export function useAttempt(): Attempt {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const attempt = async (work: () => Promise<void>): Promise<boolean> => {
    setBusy(true);
    setFailure(null);
    try {
      await work();
      return true;
    } catch (error) {
      setFailure(error);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, failure, attempt, forget: () => setFailure(null) };
}
