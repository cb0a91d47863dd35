import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';

const NARROW = window.matchMedia('(max-width: 860px)');
const NONE = (): boolean => false;

/**
 * Any number of rows in one scroll area, of which only the visible ones are drawn. Arrows, or `j` and `k`, move the focus:
 * the row in the tab order is `active`, and each row has its index as `data-at`. `isSkipped`: a row that takes no focus.
 */
export function useVirtualRows(
  count: number,
  rowHeight: number,
  isSkipped: (index: number) => boolean = NONE,
) {
  const viewport = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => viewport.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  });
  useEffect(() => virtualizer.measure(), [rowHeight, virtualizer]);
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    let next = active + step;
    if (isSkipped(next)) next += step;
    if (next < 0 || next >= count) return;
    setActive(next);
    virtualizer.scrollToIndex(next);
    requestAnimationFrame(() => viewport.current?.querySelector<HTMLElement>(`[data-at="${next}"]`)?.focus());
  };
  return {
    count,
    viewport,
    active,
    setActive,
    move,
    items: virtualizer.getVirtualItems(),
    height: virtualizer.getTotalSize(),
  };
}

/** The height of a row: another one on a narrow screen. */
export function useRowHeight(wide: number, narrow: number): number {
  const [isNarrow, setIsNarrow] = useState(NARROW.matches);
  useEffect(() => {
    const change = (): void => setIsNarrow(NARROW.matches);
    NARROW.addEventListener('change', change);
    return () => NARROW.removeEventListener('change', change);
  }, []);
  return isNarrow ? narrow : wide;
}
