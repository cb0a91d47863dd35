import { useState } from 'react';

/** Something that is tried: whether it is under way, and how it failed. */
export type Attempt = {
  busy: boolean;
  failure: unknown;
  /** True where it succeeded. */
  attempt: (work: () => Promise<void>) => Promise<boolean>;
};

/** One attempt at a time; the failure of the last is shown until the next begins. */
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
  return { busy, failure, attempt };
}
