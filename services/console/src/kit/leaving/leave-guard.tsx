import { useBlocker, type ShouldBlockFn } from '@tanstack/react-router';
import { DiscardQuestion } from './discard-question.tsx';
import { forgetUnsaved, giveUpUnsaved, hasUnsaved, losesUnsaved, useLeaving } from './unsaved.ts';

// A page with another filter or step is the same page, and keeps its input.
const isLoss: ShouldBlockFn = ({ current, next }) =>
  losesUnsaved(current.pathname) &&
  (current.pathname !== next.pathname || namespaceOf(current) !== namespaceOf(next));

function namespaceOf({ search }: { search: object }): unknown {
  return 'ns' in search ? search.ns : undefined;
}

/** Asks before the user leaves a page with unsaved input: by a link, Back, a key, signing out or closing the tab. */
export function LeaveGuard() {
  const blocked = useBlocker({
    shouldBlockFn: isLoss,
    enableBeforeUnload: hasUnsaved,
    withResolver: true,
  });
  const { waits, stay } = useLeaving();
  if (blocked.status === 'blocked') {
    const proceed = (): void => {
      giveUpUnsaved(blocked.current.pathname);
      blocked.proceed();
    };
    return <DiscardQuestion keep={blocked.reset} discard={proceed} />;
  }
  if (!waits) return null;
  const discard = (): void => {
    stay();
    forgetUnsaved();
    waits.leave();
  };
  return <DiscardQuestion keep={stay} discard={discard} />;
}
