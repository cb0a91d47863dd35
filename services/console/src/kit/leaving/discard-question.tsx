import { useEffect, useId, useRef } from 'react';
import { Button } from '../button.tsx';
import kit from '../kit.module.css';
import { useFocusBack } from './focus-back.ts';

/** What a question says before something is lost. */
export type LossWords = { title: string; text: string; keep: string; lose: string };

const TYPED: LossWords = {
  title: 'Discard what you typed?',
  text: 'It isn’t saved.',
  keep: 'Keep editing',
  lose: 'Discard',
};

/** Asks before input, or something else that `words` name, is lost. */
export function DiscardQuestion({
  keep,
  discard,
  words = TYPED,
}: {
  keep: () => void;
  discard: () => void;
  words?: LossWords | undefined;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useFocusBack();
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
        <h2 id={id}>{words.title}</h2>
        <p>{words.text}</p>
        <div className={kit.row}>
          <Button kind="primary" autoFocus onClick={keep}>
            {words.keep}
          </Button>
          <Button kind="danger" onClick={discard}>
            {words.lose}
          </Button>
        </div>
      </div>
    </dialog>
  );
}
