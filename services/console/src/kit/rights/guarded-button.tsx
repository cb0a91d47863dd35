import { Lock } from 'lucide-react';
import { useContext, useRef, useState, type ComponentProps } from 'react';
import type { Call } from '../../api/curl.ts';
import { mayBeEnough, rightsOf } from '../../api/right.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import kit from '../kit.module.css';
import { Locked } from './locked.ts';
import { MissingRules, useMissing } from './missing-right.tsx';
import { usePageAction, type Shortcut } from './page-actions.ts';

/** A button for an action that makes a call. A user without the right cannot press it, and sees which rule is missing. */
export function GuardedButton({
  call,
  isAllowed = false,
  shortcut,
  ...button
}: ComponentProps<typeof Button> & {
  /** The call, or all calls that it makes one after the other. */
  call: Call | Call[];
  /** The API allows the call to this user without a policy, so no right is checked. */
  isAllowed?: boolean;
  /** A key that does the same, with a name for the search. Without the right, it shows which rule is missing. */
  shortcut?: Shortcut;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const pressed = useRef<HTMLButtonElement>(null);
  usePageAction(shortcut, () => pressed.current?.click());
  const lock = useContext(Locked);
  const missing = useMissing(isAllowed ? [] : [call].flat().flatMap(rightsOf), mayBeEnough);
  if (lock) return <Button {...button} ref={pressed} disabled title={lock} />;
  if (missing.length === 0) return <Button {...button} ref={pressed} />;
  return (
    <span className={kit.action}>
      <Button {...button} disabled />
      <Button
        ref={pressed}
        className={kit.icon}
        aria-label="Which permission is missing?"
        title="Which permission is missing?"
        onClick={() => setIsOpen(true)}
      >
        <Lock size={16} aria-hidden />
      </Button>
      {isOpen ? (
        <Dialog title="You don’t have permission" close={() => setIsOpen(false)}>
          <MissingRules rights={missing} />
          <div>
            <Button onClick={() => setIsOpen(false)}>Close</Button>
          </div>
        </Dialog>
      ) : null}
    </span>
  );
}
