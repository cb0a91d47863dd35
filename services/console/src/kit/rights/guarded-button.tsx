import { useQuery } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import { useState, type ComponentProps } from 'react';
import type { Call } from '../../api/curl.ts';
import { isGiven, rightFor } from '../../api/right.ts';
import { capabilitiesQuery } from '../../api/rights.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { MissingRule } from './missing-right.tsx';

/** A button of an action that makes a call. To whoever lacks the right to it, it says which rule is missing instead. */
export function GuardedButton({
  call: { method, path },
  ...button
}: ComponentProps<typeof Button> & { call: Pick<Call, 'method' | 'path'> }) {
  const [isOpen, setIsOpen] = useState(false);
  const right = rightFor(method, path);
  const { data: given } = useQuery(capabilitiesQuery(right));
  if (given === undefined || isGiven(given, right)) return <Button {...button} />;
  return (
    <>
      <Button aria-disabled title="You have no right to this" onClick={() => setIsOpen(true)}>
        <Lock size={14} aria-hidden />
        {button.children}
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
