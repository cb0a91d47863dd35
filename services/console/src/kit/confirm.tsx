import { useState, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { FailureNotice } from './failure-notice.tsx';
import kit from './kit.module.css';

/** Asks for the name of what is deleted before anything outside is. */
export function ConfirmByName({
  title,
  name,
  action,
  carryOut,
  close,
  children,
}: {
  title: string;
  name: string;
  action: string;
  carryOut: () => Promise<void>;
  close: () => void;
  children: ReactNode;
}) {
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);

  const submit = async (): Promise<void> => {
    setBusy(true);
    try {
      await carryOut();
      close();
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  };

  return (
    <Dialog title={title} close={close}>
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
      {failure ? <FailureNotice failure={failure} /> : null}
      <div className={kit.row}>
        <Button kind="danger" busy={busy} disabled={typed !== name} onClick={() => void submit()}>
          {action}
        </Button>
        <Button onClick={close}>Cancel</Button>
      </div>
    </Dialog>
  );
}
