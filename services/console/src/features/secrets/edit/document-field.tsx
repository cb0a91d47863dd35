import kit from '../../../kit/kit.module.css';
import { LongText } from '../../../kit/text/long-text.tsx';
import { NOTATIONS, type Notation } from './document.ts';

const HINTS: Record<Notation, string> = {
  json: 'An object of keys and values. Numbers keep every digit.',
  dotenv:
    'One NAME=value per line. Single-quoted values are taken literally; in double quotes \\n is a line break.',
};

/** All keys and values of a secret as one text. */
export function DocumentField({
  notation,
  text,
  fault,
  isShown = false,
  change,
}: {
  notation: Notation;
  text: string;
  fault: string;
  /** The user has asked to see the values. */
  isShown?: boolean;
  change: (text: string) => void;
}) {
  return (
    <div className={`${kit.stack} ${kit.tight}`}>
      <LongText
        aria-label={`The secret as ${NOTATIONS[notation]}`}
        aria-invalid={fault !== ''}
        rows={14}
        isSecret
        isShownFirst={isShown}
        value={text}
        change={change}
      />
      {fault ? <p className={kit.fault}>{fault}</p> : null}
      <p className={`${kit.small} ${kit.muted}`}>{HINTS[notation]}</p>
    </div>
  );
}
