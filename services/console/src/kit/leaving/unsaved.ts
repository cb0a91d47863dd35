import { useEffect, useSyncExternalStore } from 'react';

type Leaving = { leave: () => void };

// What the page would lose now, and where the user wanted to go when it asked.
const unsaved = new Set<object>();
let leaving: Leaving | null = null;
// What the user gave up on leaving a path. It is on the screen until the next page is loaded.
let givenUp: { path: string; inputs: Set<object> } = { path: '', inputs: new Set() };
const listeners = new Set<() => void>();

function become(next: Leaving | null): void {
  leaving = next;
  for (const listener of listeners) listener();
}

/** Says that the page holds input that is stored nowhere, so that nobody leaves it without a question. */
export function useUnsaved(isTyped: boolean): void {
  useEffect(() => {
    if (!isTyped) return undefined;
    const one = {};
    unsaved.add(one);
    return () => void unsaved.delete(one);
  }, [isTyped]);
}

/** Whether the page holds such input. */
export function hasUnsaved(): boolean {
  return unsaved.size > 0;
}

/** Whether that would be lost on leaving a path of the console: not what was given up on the way to it. */
export function losesUnsaved(path: string): boolean {
  return [...unsaved].some((input) => path === givenUp.path || !givenUp.inputs.has(input));
}

/** Leaves a path without what the page holds. Who comes back before the next page is there still finds it. */
export function giveUpUnsaved(path: string): void {
  givenUp = { path, inputs: new Set(unsaved) };
}

/** Gives it up: the next page may come without a question. */
export function forgetUnsaved(): void {
  unsaved.clear();
}

/** Does something that would lose the input, after a question if there is any. */
export function whenNothingIsLost(leave: () => void): void {
  if (hasUnsaved()) become({ leave });
  else leave();
}

/** What waits for the answer to the question, and the way to answer it. */
export function useLeaving(): { waits: Leaving | null; stay: () => void } {
  const waits = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => leaving,
  );
  return { waits, stay: () => become(null) };
}
