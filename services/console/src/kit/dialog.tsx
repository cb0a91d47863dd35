import {
  useEffect,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type SyntheticEvent,
} from 'react';
import kit from './kit.module.css';
import { CloseDialog } from './leaving/cancel.tsx';
import { DiscardQuestion, type LossWords } from './leaving/discard-question.tsx';
import { useFocusBack } from './leaving/focus-back.ts';
import { useUnsaved } from './leaving/unsaved.ts';

type Props = {
  title: string;
  close: () => void;
  /** Its user changed something otherwise than by typing. */
  isDirty?: boolean;
  /** Nothing that is typed here is worth a question. */
  isPassing?: boolean;
  /** What would be lost, if it is not what was typed. */
  lossWords?: LossWords;
  children: ReactNode;
};

/**
 * A modal dialog. It is open while it is mounted. If something was typed, it asks before it is closed by Escape or
 * `Cancel`. A field in an element with `data-passing` does not count, such as one that only confirms.
 */
export function Dialog({ title, close, isDirty = false, isPassing = false, lossWords, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [isTyped, setIsTyped] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const isUnsaved = !isPassing && (isTyped || isDirty);
  useUnsaved(isUnsaved);
  useFocusBack();
  useEffect(() => dialog.current?.showModal(), []);
  const leave = (): void => (isUnsaved ? setIsAsking(true) : close());
  const note = ({ target }: SyntheticEvent): void => {
    const isField = target instanceof HTMLElement && target.matches('input, textarea, select');
    if (isField && !target.closest('[data-passing]')) setIsTyped(true);
  };
  // The browser lets a page prevent only the first of several `cancel` events, so the key itself counts.
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    // It belongs to the innermost dialog alone.
    event.stopPropagation();
    leave();
  };
  return (
    <>
      <dialog
        ref={dialog}
        className={kit.dialog}
        aria-labelledby={id}
        onKeyDown={press}
        onCancel={(event) => {
          event.preventDefault();
          leave();
        }}
        onChange={note}
        onPaste={note}
        onDrop={note}
      >
        <div className={kit.form}>
          <h2 id={id}>{title}</h2>
          <CloseDialog value={leave}>{children}</CloseDialog>
        </div>
      </dialog>
      {isAsking ? (
        <DiscardQuestion keep={() => setIsAsking(false)} discard={close} words={lossWords} />
      ) : null}
    </>
  );
}
