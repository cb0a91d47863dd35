import { useEffect, useRef, useState } from 'react';

/** What was asked for once: not there yet, there, or failed. */
export type Once<Data> = { data?: Data; failure?: unknown; isPending: boolean };

/** Asks once, when the component appears. */
export function useOnce<Data>(work: () => Promise<Data>): Once<Data> {
  const [state, setState] = useState<Once<Data>>({ isPending: true });
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    work().then(
      (data) => setState({ data, isPending: false }),
      (failure: unknown) => setState({ failure, isPending: false }),
    );
  }, [work]);
  return state;
}
