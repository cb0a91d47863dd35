import type { ComponentProps } from 'react';
import type { Call } from '../../api/curl.ts';
import { CopyCurl } from '../copy/copy-curl.tsx';
import kit from '../kit.module.css';
import { GuardedButton } from './guarded-button.tsx';

/**
 * A button for an action that changes something. A user without the right cannot press it, and sees which rule is missing.
 * A second button copies the call as curl. `secrets`: names of the secret fields in the body of the call.
 */
export function Action({
  call,
  secrets = [],
  ...button
}: ComponentProps<typeof GuardedButton> & { call: Call; secrets?: string[] }) {
  const { 'aria-label': label, children } = button;
  const of = label ?? (typeof children === 'string' ? children : call.path);
  return (
    <span className={kit.action}>
      <GuardedButton {...button} call={call} />
      <CopyCurl of={of} call={call} secrets={secrets} />
    </span>
  );
}
