import { useEffect, useRef, type RefObject } from 'react';

const WRONG = '[aria-invalid="true"], [data-wrong] :is(input, textarea, select, button)';

/**
 * Leads to the first wrong field in the element that gets the returned reference, each time `refused` becomes another
 * refusal: the field gets the focus, in the middle of the screen, where no bar covers it.
 */
export function useWrongField<Element extends HTMLElement>(refused: unknown): RefObject<Element | null> {
  const form = useRef<Element>(null);
  useEffect(() => {
    if (!refused) return;
    const field = form.current?.querySelector<HTMLElement>(WRONG);
    if (!field) return;
    const group = field.closest('details');
    if (group) group.open = true;
    field.focus({ preventScroll: true });
    field.scrollIntoView({ block: 'center' });
  }, [refused]);
  return form;
}
