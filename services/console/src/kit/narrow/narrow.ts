import { useSyncExternalStore } from 'react';

const NARROW = '(max-width: 40em)';

/** Whether the page is as narrow as on a phone; only now. */
export function isNarrow(): boolean {
  return matchMedia(NARROW).matches;
}

/** The same, also once that changes. */
export function useNarrow(): boolean {
  return useSyncExternalStore((listener) => {
    const media = matchMedia(NARROW);
    media.addEventListener('change', listener);
    return () => media.removeEventListener('change', listener);
  }, isNarrow);
}
