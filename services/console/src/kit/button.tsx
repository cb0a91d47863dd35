import type { ComponentProps } from 'react';
import kit from './kit.module.css';

type Props = ComponentProps<'button'> & {
  kind?: 'primary' | 'danger' | 'quiet';
  /** The action that the button started is still running. */
  busy?: boolean;
};

// A button that is disabled while it is pressed would lose the focus.
export function Button({
  kind,
  busy = false,
  className = '',
  type = 'button',
  onClick,
  children,
  ...rest
}: Props) {
  return (
    <button
      {...rest}
      type={type}
      aria-busy={busy}
      aria-disabled={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
      className={`${kit.button} ${kind ? kit[kind] : ''} ${className}`}
    >
      {children}
    </button>
  );
}
