import { useEffect, useState } from 'react';

const FOCUSABLE = ':is(a[href], button, input, select, textarea, summary):not(:disabled)';

/**
 * Puts the focus back where it was before a dialog, as soon as the dialog is gone. If that is gone too, or disabled, what is
 * nearest to it gets the focus, and at last the heading of the page.
 */
export function useFocusBack(): void {
  const [places] = useState(() => placesAround(document.activeElement));
  useEffect(
    () => () => {
      // By then the page shows what the dialog came to.
      setTimeout(() => {
        if (document.activeElement === document.body) focusFirst(places);
      });
    },
    [places],
  );
}

// From the innermost to the page.
function placesAround(element: Element | null): Element[] {
  return element ? [element, ...placesAround(element.parentElement)] : [];
}

function focusFirst(places: Element[]): void {
  for (const place of places.filter(({ isConnected }) => isConnected)) {
    const isPage = place.matches('main, body');
    const next = place.matches(FOCUSABLE) ? place : place.querySelector(isPage ? 'h1' : FOCUSABLE);
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
    if (isPage || document.activeElement !== document.body) return;
  }
}
