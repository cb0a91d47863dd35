import { useEffect, useId, useRef, type ReactNode } from 'react';
import kit from './kit.module.css';

/** A modal dialog. It is open while it is mounted. */
export function Dialog({
  title,
  close,
  children,
}: {
  title: string;
  close: () => void;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={kit.dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <div className={kit.stack}>
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}
