import { useState, type ReactNode } from 'react';
import { Dialog } from '../dialog.tsx';
import kit from '../kit.module.css';
import { Cancel } from '../leaving/cancel.tsx';
import { Notice } from '../notice.tsx';
import { CopySecretButton } from './copy-button.tsx';

/** Shows a secret that nobody can ask for again. Until it was copied, closing the dialog asks. `noun`: such as "token". */
export function OnceDialog({
  noun,
  secret,
  close,
  children,
}: {
  noun: string;
  secret: string;
  close: () => void;
  /** What else to know of it. */
  children: ReactNode;
}) {
  const [isCopied, setIsCopied] = useState(false);
  const copied = (): void => setIsCopied(true);
  return (
    <Dialog
      title={`The ${noun}`}
      close={close}
      isDirty={!isCopied}
      lossWords={{
        title: `Close without copying the ${noun}?`,
        text: 'It can’t be shown again.',
        keep: 'Go back',
        lose: 'Close',
      }}
    >
      <Notice tone="limited">Copy it now: it is shown only once.</Notice>
      <p className={kit.mono} translate="no" onCopy={copied}>
        {secret}
      </p>
      {children}
      <div className={kit.row}>
        <CopySecretButton text={secret} copied={copied}>
          Copy the {noun}
        </CopySecretButton>
        <Cancel>Done</Cancel>
      </div>
    </Dialog>
  );
}
