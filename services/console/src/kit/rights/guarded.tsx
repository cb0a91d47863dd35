import type { ReactNode } from 'react';
import { isGiven, type Right } from '../../api/right.ts';
import type { Button } from '../button.tsx';
import { GuardedButton } from './guarded-button.tsx';
import { useMissing } from './missing-right.tsx';

/** A link to a page. A user without the right to the page cannot follow it, and sees which rule is missing. */
export function Guarded({
  right,
  label,
  kind,
  children,
}: {
  right: Right;
  label: string;
  kind?: Parameters<typeof Button>[0]['kind'];
  children: ReactNode;
}) {
  const missing = useMissing([right], isGiven);
  if (missing.length === 0) return children;
  return (
    <GuardedButton call={{ method: 'GET', path: right.path, rights: missing }} kind={kind}>
      {label}
    </GuardedButton>
  );
}
