import { useEffect, useRef, type RefObject } from 'react';

/**
 * Scrolls the element with the returned reference into sight, each time `news` becomes something else that is true. It gets
 * the focus, if it can take it and the button that led to the news is gone or disabled.
 */
export function useSeen<Element extends HTMLElement>(
  news: unknown,
  block: ScrollLogicalPosition = 'nearest',
): RefObject<Element | null> {
  const place = useRef<Element>(null);
  useEffect(() => {
    if (!news) return;
    place.current?.scrollIntoView({ block });
    const holder = document.activeElement;
    if (!holder || holder === document.body || holder.matches(':disabled'))
      place.current?.focus({ preventScroll: true });
  }, [news, block]);
  return place;
}
