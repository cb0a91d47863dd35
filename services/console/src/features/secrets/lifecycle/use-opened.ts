import { useEffect, useRef, type RefObject } from 'react';

/** A ref for the heading of what the user opens elsewhere on the page: it comes into sight with the focus. Null: nothing is open. */
export function useOpened(opened: number | null): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (opened === null) return;
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: 'start' });
  }, [opened]);
  return heading;
}
