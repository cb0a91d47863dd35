import { useEffect, useRef, useSyncExternalStore } from 'react';

/** A key for an action of a page, and the name of the action. */
export type Shortcut = { key: string; label: string };

/** An action of the visible page, available by its key and in the search. */
export type PageAction = Shortcut & { run: () => void };

let actions: PageAction[] = [];
const listeners = new Set<() => void>();

function become(next: PageAction[]): void {
  actions = next;
  for (const listener of listeners) listener();
}

/** Offers an action while the component is mounted; without a shortcut, none. */
export function usePageAction(shortcut: Shortcut | undefined, run: () => void): void {
  const { key, label } = shortcut ?? {};
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    if (key === undefined || label === undefined) return undefined;
    const action = { key, label, run: () => latest.current() };
    become([...actions, action]);
    return () => become(actions.filter((other) => other !== action));
  }, [key, label]);
}

/** The actions of the visible page. */
export function usePageActions(): PageAction[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => actions,
  );
}

/** Runs the action of a key. Returns false if the page has none. */
export function runPageAction(key: string): boolean {
  const action = actions.find((candidate) => candidate.key === key);
  action?.run();
  return action !== undefined;
}
