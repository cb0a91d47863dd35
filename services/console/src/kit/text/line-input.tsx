import { flushSync } from 'react-dom';
import { useState, type ComponentProps, type DragEvent, type ClipboardEvent } from 'react';
import kit from '../kit.module.css';
import { VERBATIM } from './exact-text.ts';

type Props = Omit<ComponentProps<'input'>, 'value' | 'onChange'> & {
  value: string;
  change: (text: string) => void;
  /** Takes a pasted text of several lines, with what stands around it; absent: such a text is refused. */
  takeLines?: (text: string) => void;
};

const ENDS = /^[\r\n]+|[\r\n]+$/g;

/**
 * A field for one line. A browser puts a blank for each line end of a pasted text, which would change it without a word.
 * Here line ends around the text are left out, and a text of several lines is refused; the user is told of both.
 */
export function LineInput({ value, change, takeLines, className = '', ...rest }: Props) {
  const [note, setNote] = useState('');
  const take = (event: ClipboardEvent | DragEvent, field: HTMLInputElement, text: string): void => {
    setNote('');
    if (!/[\r\n]/.test(text)) return;
    event.preventDefault();
    const [start, end] = [field.selectionStart ?? value.length, field.selectionEnd ?? value.length];
    const line = text.replaceAll(ENDS, '');
    if (/[\r\n]/.test(line)) {
      if (takeLines) return takeLines(value.slice(0, start) + text + value.slice(end));
      const lines = line.split(/\r\n?|\n/).length;
      return setNote(`This field takes one line, and the text has ${lines}: nothing was pasted.`);
    }
    setNote('The line end beside the pasted text was left out.');
    // React must set the new text itself: otherwise it would miss the next edit that leads back to the old one.
    flushSync(() => change(value.slice(0, start) + line + value.slice(end)));
    field.setSelectionRange(start + line.length, start + line.length);
  };
  return (
    <>
      <input
        {...VERBATIM}
        {...rest}
        className={`${kit.input} ${className}`}
        value={value}
        onPaste={(event) => take(event, event.currentTarget, event.clipboardData.getData('text'))}
        onDrop={(event) => take(event, event.currentTarget, event.dataTransfer.getData('text'))}
        onChange={(event) => {
          setNote('');
          change(event.target.value);
        }}
      />
      {note ? (
        <p className={`${kit.small} ${kit.muted}`} role="status">
          {note}
        </p>
      ) : null}
    </>
  );
}
