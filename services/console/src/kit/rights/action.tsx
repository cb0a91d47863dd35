import type { ComponentProps } from 'react';
import { CopyCurl } from '../copy/copy-curl.tsx';
import kit from '../kit.module.css';
import { GuardedButton } from './guarded-button.tsx';

/**
 * A button for an action that changes something. A user without the right cannot press it, and sees which rule is missing.
 * A second button copies the call as curl. `secrets`: names of the secret fields in the body of the call.
 */
export function Action({
  secrets = [],
  ...button
}: ComponentProps<typeof GuardedButton> & { secrets?: string[] }) {
  const { call, 'aria-label': label, children } = button;
  const calls = [call].flat();
  const subject = label ?? (typeof children === 'string' ? children : calls[0]?.path);
  return (
    <span className={kit.action}>
      <GuardedButton {...button} />
      <CopyCurl of={subject ?? ''} calls={calls} secrets={secrets} />
    </span>
  );
}
