import type { ComponentProps } from 'react';
import kit from './kit.module.css';

type Props = ComponentProps<'button'> & {
  kind?: 'primary' | 'danger' | 'quiet';
  /** The action that the button started is still running. */
  busy?: boolean;
};

export function Button({ kind, busy = false, className = '', type = 'button', children, ...rest }: Props) {
  return (
    <button
      {...rest}
      type={type}
      disabled={rest.disabled || busy}
      aria-busy={busy}
      className={`${kit.button} ${kind ? kit[kind] : ''} ${className}`}
    >
      {children}
    </button>
  );
}
