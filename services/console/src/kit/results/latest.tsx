import { useEffect, useRef, useSyncExternalStore, type ComponentProps, type ReactNode } from 'react';
import { Button } from '../button.tsx';
import { Notice } from '../notice.tsx';

// Stays when the page or the row that it was asked on goes, because that says nothing about the result.
let latest: ReactNode = null;
const listeners = new Set<() => void>();

/** Shows what came of the latest action, in place of what came of the one before. */
export function showResult(next: ReactNode): void {
  latest = next;
  for (const listener of listeners) listener();
}

/** The same for what is known at once. */
export function noteDone(text: string): void {
  showResult(<Result tone="info">{text}</Result>);
}

/** What came of the latest action. */
export function LatestResult() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => latest,
  );
  const place = useRef<HTMLDivElement>(null);
  // Who asked for it far down the page would not see it.
  useEffect(() => {
    if (shown) place.current?.scrollIntoView({ block: 'center' });
  }, [shown]);
  return shown ? <div ref={place}>{shown}</div> : null;
}

/** A result that stays until the user dismisses it. */
export function Result({ tone, children }: ComponentProps<typeof Notice>) {
  return (
    <Notice tone={tone}>
      {children}{' '}
      <Button kind="quiet" onClick={() => showResult(null)}>
        Dismiss
      </Button>
    </Notice>
  );
}
