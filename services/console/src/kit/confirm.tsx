import { useState, type ComponentProps, type ReactNode } from 'react';
import { FormDialog } from './form-dialog.tsx';
import kit from './kit.module.css';
import { LineInput } from './text/line-input.tsx';

/** The user must type the name of what is deleted, before anything is deleted. */
export function ConfirmByName({
  name,
  isBlocked = false,
  children,
  ...dialog
}: Omit<ComponentProps<typeof FormDialog>, 'isDangerous' | 'isReady' | 'children'> & {
  name: string;
  /** Something stands in the way, or is not known yet. */
  isBlocked?: boolean;
  children: ReactNode;
}) {
  const [typed, setTyped] = useState('');
  return (
    <FormDialog {...dialog} isDangerous isReady={typed === name && !isBlocked}>
      {children}
      <TypedName name={name} typed={typed} set={setTyped} />
    </FormDialog>
  );
}

/** The field in which the user types a name, so that nothing is lost by one click. */
export function TypedName({
  name,
  typed,
  set,
}: {
  name: string;
  typed: string;
  set: (typed: string) => void;
}) {
  return (
    <label className={kit.field} data-passing>
      <span className={kit.label}>
        Type <code className={kit.exact}>{name}</code> to confirm
      </span>
      <LineInput value={typed} change={set} />
    </label>
  );
}
