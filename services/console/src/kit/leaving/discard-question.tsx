import { useEffect, useId, useRef } from 'react';
import { Button } from '../button.tsx';
import kit from '../kit.module.css';

/** Asks before input is lost. */
export function DiscardQuestion({ keep, discard }: { keep: () => void; discard: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      className={kit.dialog}
      aria-labelledby={id}
      onClose={keep}
      onCancel={(event) => {
        event.preventDefault();
        keep();
      }}
    >
      <div className={kit.stack}>
        <h2 id={id}>Discard what you typed?</h2>
        <p>It isn’t saved.</p>
        <div className={kit.row}>
          <Button kind="primary" autoFocus onClick={keep}>
            Keep editing
          </Button>
          <Button kind="danger" onClick={discard}>
            Discard
          </Button>
        </div>
      </div>
    </dialog>
  );
}
