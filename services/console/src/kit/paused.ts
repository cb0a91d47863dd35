import { useEffect, useState } from 'react';

const PAUSE_MS = 250;

/** Returns a value after the user has stopped typing. */
export function usePaused(value: string): string {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return paused;
}
