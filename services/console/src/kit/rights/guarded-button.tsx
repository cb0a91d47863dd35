import { useQuery } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import { useState, type ComponentProps } from 'react';
import type { Call } from '../../api/curl.ts';
import { isGiven, rightFor } from '../../api/right.ts';
import { capabilitiesQuery } from '../../api/rights.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import kit from '../kit.module.css';
import { MissingRule } from './missing-right.tsx';

/** A button for an action that makes a call. A user without the right cannot press it, and sees which rule is missing. */
export function GuardedButton({
  call: { method, path },
  isAllowed = false,
  ...button
}: ComponentProps<typeof Button> & {
  call: Pick<Call, 'method' | 'path'>;
  /** The API allows the call to this user without a policy, so no right is checked. */
  isAllowed?: boolean;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const right = rightFor(method, path);
  const { data: given } = useQuery({ ...capabilitiesQuery(right), enabled: !isAllowed });
  if (isAllowed || given === undefined || isGiven(given, right)) return <Button {...button} />;
  return (
    <>
      <Button {...button} disabled />
      <Button
        className={kit.icon}
        aria-label="Which right is missing?"
        title="Which right is missing?"
        onClick={() => setIsOpen(true)}
      >
        <Lock size={16} aria-hidden />
      </Button>
      {isOpen ? (
        <Dialog title="A right is missing" close={() => setIsOpen(false)}>
          <MissingRule right={right} />
          <div>
            <Button onClick={() => setIsOpen(false)}>Close</Button>
          </div>
        </Dialog>
      ) : null}
    </>
  );
}
