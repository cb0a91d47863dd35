import { useEffect, useRef, useSyncExternalStore } from 'react';

/** Something that the page in sight can do: by its key, and in the search of everything. */
export type PageAction = { key: string; label: string; run: () => void };

let actions: PageAction[] = [];
const listeners = new Set<() => void>();

function become(next: PageAction[]): void {
  actions = next;
  for (const listener of listeners) listener();
}

/** Offers an action while the component is there. */
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

/** What the page in sight offers. */
export function usePageActions(): PageAction[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => actions,
  );
}

/** Carries out the action of a key; false where the page has none. */
export function runPageAction(key: string): boolean {
  const action = actions.find((candidate) => candidate.key === key);
  action?.run();
  return action !== undefined;
}
