const STEPS: Record<string, number> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

/** Whether a key moves in a list. */
export const isMove = (key: string): boolean => key in STEPS;

/**
 * Moves the focus to the next or previous row, by `j` and `k` from anywhere, and by the arrows from a row: elsewhere those
 * scroll the page. A list that draws only a part of its rows moves by itself, once it has the focus.
 */
export function moveInList(event: KeyboardEvent): void {
  const step = STEPS[event.key];
  if (step === undefined || !(event.target instanceof HTMLElement)) return;
  if (event.target.closest('[data-at]')) return;
  const from = event.target.closest('tr');
  if (!from) {
    if (event.key.length > 1) return;
    return document
      .querySelector<HTMLElement>('main [data-at][tabindex="0"], main tbody tr :is(a, button)')
      ?.focus();
  }
  const rows = [...(from.parentElement?.children ?? [])];
  const next = focusableIn(rows, rows.indexOf(from) + step, step);
  if (!next) return;
  event.preventDefault();
  next.focus();
}

// A row in which nothing can be opened is passed over.
function focusableIn(rows: Element[], index: number, step: number): HTMLElement | null {
  const row = rows[index];
  if (!row) return null;
  return row.querySelector<HTMLElement>('a, button:not(:disabled)') ?? focusableIn(rows, index + step, step);
}
