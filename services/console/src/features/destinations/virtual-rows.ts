import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';

const NARROW = window.matchMedia('(max-width: 53.75em)');
const PHONE = window.matchMedia('(max-width: 40em)');
// A phone with large text.
const SLIM = window.matchMedia('(max-width: 20em)');
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

/** Heights of a row, in rem: on a wide screen, on a narrow one, on a phone, and there with large text. */
export type RowHeights = { wide: number; narrow: number; phone: number; slim: number };

/** The height of a row in px, with the font size of the browser. */
export function useRowHeight({ wide, narrow, phone, slim }: RowHeights): number {
  const height = (): number => {
    if (SLIM.matches) return slim;
    if (PHONE.matches) return phone;
    return NARROW.matches ? narrow : wide;
  };
  const [rem, setRem] = useState(height);
  useEffect(() => {
    const change = (): void => setRem(height());
    for (const media of [NARROW, PHONE, SLIM]) media.addEventListener('change', change);
    return () => {
      for (const media of [NARROW, PHONE, SLIM]) media.removeEventListener('change', change);
    };
  });
  return rem * parseFloat(getComputedStyle(document.documentElement).fontSize);
}
