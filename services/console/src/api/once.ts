import { useCallback, useEffect, useRef, useState } from 'react';

/** What was asked for once: not there yet, there, or failed. */
export type Once<Data> = { data?: Data; failure?: unknown; isPending: boolean };

/** Asks once, when the component appears; `again` asks anew. */
export function useOnce<Data>(work: () => Promise<Data>): Once<Data> & { again: () => void } {
  const [state, setState] = useState<Once<Data>>({ isPending: true });
  const begun = useRef(false);
  const ask = useCallback((): void => {
    setState({ isPending: true });
    work().then(
      (data) => setState({ data, isPending: false }),
      (failure: unknown) => setState({ failure, isPending: false }),
    );
  }, [work]);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    ask();
  }, [ask]);
  return { ...state, again: ask };
}
