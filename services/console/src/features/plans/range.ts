import { useRef, type ChangeEvent, type MouseEvent as Click } from 'react';

/** The places in a list that a tick is about: its own or, with Shift, all from the one that was ticked before it. */
export function useRange() {
  const last = useRef<number | null>(null);
  return (index: number, { nativeEvent }: ChangeEvent): number[] => {
    const isRange = nativeEvent instanceof MouseEvent && nativeEvent.shiftKey;
    const from = isRange ? (last.current ?? index) : index;
    last.current = index;
    return Array.from({ length: Math.abs(from - index) + 1 }, (_, offset) => Math.min(from, index) + offset);
  };
}

/** Keeps a click with Shift from selecting the text between two ticks. */
export function keepText(event: Click): void {
  if (event.shiftKey) event.preventDefault();
}
