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

const READ_MS = 5000;
// When what is known at once was first shown. Whoever has seen it, and leaves the page, needs it no longer.
let seen: { node: ReactNode; since: number } | null = null;

/** The same for what is known at once. */
export function noteDone(text: string): void {
  const node = <Result tone="info">{text}</Result>;
  seen = { node, since: Infinity };
  showResult(node);
}

function beginReading(): () => void {
  if (seen && seen.node === latest) seen.since = Math.min(seen.since, Date.now());
  return () => {
    if (seen && seen.node === latest && Date.now() - seen.since > READ_MS) showResult(null);
  };
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
  useEffect(beginReading, [shown]);
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
