import { useState, type ComponentProps } from 'react';
import { Button } from '../../kit/button.tsx';
import kit from '../../kit/kit.module.css';
import { AnyText } from '../../kit/text/any-text.tsx';
import { useMissingSecret } from '../missing.ts';
import { LoadedText } from './loaded-text.tsx';

type Control = Pick<
  ComponentProps<typeof AnyText>,
  'id' | 'aria-invalid' | 'aria-required' | 'aria-describedby' | 'isSecret'
>;

type Props = {
  name: string;
  /** The label of the field. */
  title: string;
  isSet: boolean;
  edited: { value: unknown } | undefined;
  /** What names the stored secret, if that is known. */
  inUse: string | undefined;
  isLong: boolean;
  change: (value: unknown) => void;
  keep: () => void;
  control: Control;
};

/**
 * A secret: a text beside the field says that a value is set. The field itself never holds it, so nothing can be copied
 * from it. Replace opens the field; the stored value stays until something is typed.
 */
export function SecretInput({ name, title, isSet, edited, inUse, isLong, change, keep, control }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  // What the user has pressed is gone then, so the focus goes on to what comes in its place.
  const [next, setNext] = useState<'field' | 'button' | null>(null);
  const typed = typeof edited?.value === 'string' ? edited.value : '';
  // Where the field shows what is in use, leaving it empty keeps that.
  const isOwed = edited !== undefined || (isOpen && inUse === undefined);
  useMissingSecret(name, control['aria-required'] === true && isSet && isOwed && typed === '');
  const replace = (): void => {
    setIsOpen(true);
    setNext('field');
  };
  const undo = (): void => {
    setIsOpen(false);
    setNext('button');
    keep();
  };
  if (isSet && !edited && !isOpen)
    return (
      <div className={kit.row} data-stored-secret={name}>
        <span className={kit.mono}>{inUse ?? '•••••'}</span>
        <span className={`${kit.small} ${kit.muted}`}>kept</span>
        <Button aria-label={`Replace ${title}`} autoFocus={next === 'button'} onClick={replace}>
          Replace
        </Button>
      </div>
    );
  const text = {
    ...control,
    autoFocus: next === 'field',
    value: typed,
    change: (input: string) => {
      // From now on the edit keeps it open.
      setIsOpen(false);
      change(input);
    },
  };
  return (
    <div className={kit.row}>
      <div className={kit.grow}>
        {isLong ? (
          <LoadedText title={title} {...text} />
        ) : (
          <AnyText {...text} placeholder={isSet ? inUse : undefined} />
        )}
      </div>
      {isSet ? <Button onClick={undo}>Undo</Button> : null}
    </div>
  );
}
