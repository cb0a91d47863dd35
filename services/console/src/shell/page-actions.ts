import { useEffect, useRef, useSyncExternalStore } from 'react';

/** An action of the visible page, available by its key and in the search. */
export type PageAction = { key: string; label: string; run: () => void };

let actions: PageAction[] = [];
const listeners = new Set<() => void>();

function become(next: PageAction[]): void {
  actions = next;
  for (const listener of listeners) listener();
}

/** Offers an action while the component is mounted. */
export function usePageAction({ key, label, run }: PageAction): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
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
