import type { ComponentProps } from 'react';
import type { Call } from '../../api/curl.ts';
import { CopyCurl } from '../copy/copy-curl.tsx';
import kit from '../kit.module.css';
import { GuardedButton } from './guarded-button.tsx';

/**
 * The button of whatever changes something: who lacks the right to its call cannot press it and reads which rule is missing,
 * and who would rather do it in a shell copies the call. `secrets`: names of what in its body nobody may see.
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
