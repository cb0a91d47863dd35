import { useState, type ComponentProps } from 'react';
import { Button } from '../button.tsx';
import kit from '../kit.module.css';
import { useExactText, VERBATIM } from './exact-text.ts';
import { describeText, shownOf } from './line-ends.ts';
import styles from './text.module.css';

type Props = Omit<ComponentProps<'textarea'>, 'value' | 'onChange'> & {
  value: string;
  change: (text: string) => void;
  /** Of a secret only dots are shown, unless the user wants to see it. */
  isSecret?: boolean;
  /** At first the text of a secret is shown. */
  isShownFirst?: boolean;
};

/** A field for any text. The text that `change` gets is what was typed or pasted, with its own line ends. */
export function LongText({
  value,
  change,
  isSecret = false,
  isShownFirst = false,
  className = '',
  ...rest
}: Props) {
  const exact = useExactText(value, change);
  const [isShown, setIsShown] = useState(isShownFirst);
  const isHidden = isSecret && !isShown;
  const hints = isSecret ? { translate: 'no' as const, 'data-1p-ignore': true, 'data-lpignore': true } : {};
  return (
    <div className={`${kit.stack} ${styles.long}`}>
      <textarea
        {...VERBATIM}
        {...hints}
        {...rest}
        className={`${kit.input} ${isHidden ? styles.dots : ''} ${className}`}
        {...exact}
      />
      <div className={`${kit.row} ${kit.small} ${kit.muted}`}>
        {isSecret ? (
          <Button kind="quiet" aria-pressed={isShown} onClick={() => setIsShown(!isShown)}>
            {isShown ? 'Hide' : 'Show'}
          </Button>
        ) : null}
        {isSecret ? <span>{describeText(value)}</span> : null}
        <LineEnds value={value} change={change} />
      </div>
    </div>
  );
}

// The browser shows every line end alike, so these are said in words.
function LineEnds({ value, change }: { value: string; change: (text: string) => void }) {
  if (!value.includes('\r')) return null;
  const isMixed = value.replaceAll('\r\n', '').search(/[\r\n]/) >= 0;
  return (
    <>
      <span>{isMixed ? 'Some lines end in CR or CR LF.' : 'Lines end in CR LF.'}</span>
      <Button kind="quiet" onClick={() => change(shownOf(value))}>
        Change them to LF
      </Button>
    </>
  );
}
