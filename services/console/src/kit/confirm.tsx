import { useState, type ReactNode } from 'react';
import type { Call } from '../api/curl.ts';
import { FormDialog } from './form-dialog.tsx';
import kit from './kit.module.css';

/** The user must type the name of what is deleted, before anything outside is deleted. */
export function ConfirmByName({
  name,
  children,
  ...dialog
}: {
  title: string;
  name: string;
  action: string;
  carryOut: () => Promise<void>;
  close: () => void;
  call: Call;
  children: ReactNode;
}) {
  const [typed, setTyped] = useState('');
  return (
    <FormDialog {...dialog} isDangerous isReady={typed === name}>
      {children}
      <label className={kit.field}>
        <span className={kit.label}>
          Type <code>{name}</code> to go on
        </span>
        <input
          className={kit.input}
          value={typed}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
    </FormDialog>
  );
}
