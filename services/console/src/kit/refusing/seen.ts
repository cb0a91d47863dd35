import { useEffect, useRef, type RefObject } from 'react';

/** Scrolls the element with the returned reference into sight, each time `news` becomes something else that is true. */
export function useSeen<Element extends HTMLElement>(news: unknown): RefObject<Element | null> {
  const place = useRef<Element>(null);
  useEffect(() => {
    if (news) place.current?.scrollIntoView({ block: 'nearest' });
  }, [news]);
  return place;
}
