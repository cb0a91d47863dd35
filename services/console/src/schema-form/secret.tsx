import { useState, type ComponentProps } from 'react';
import type { FieldAnswer } from '../../../api/contract/forms.ts';
import { Button } from '../kit/button.tsx';
import kit from '../kit/kit.module.css';
import { AnyText } from '../kit/text/any-text.tsx';
import { LongText } from '../kit/text/long-text.tsx';
import { titleOf } from './fields.ts';

/**
 * A secret: a text beside the field says that a value is set. The field itself never holds it, so nothing can be copied
 * from it. Replace opens the field; the stored value stays until something is typed.
 */
export function Secret({
  field,
  value,
  edited,
  inUse,
  isLong,
  change,
  keep,
  control,
}: {
  field: FieldAnswer;
  value: unknown;
  edited: { value: unknown } | undefined;
  /** What names the stored secret, if that is known. */
  inUse: string | undefined;
  isLong: boolean;
  change: (value: unknown) => void;
  keep: () => void;
  control: Pick<ComponentProps<'input'>, 'id' | 'aria-invalid' | 'aria-required' | 'aria-describedby'>;
}) {
  const [isOpen, setIsOpen] = useState(false);
  // What the user has pressed is gone then, so the focus goes on to what comes in its place.
  const [next, setNext] = useState<'field' | 'button' | null>(null);
  const isSet = value === '*****';
  if (isSet && !edited && !isOpen) {
    return (
      <div className={kit.row} data-stored-secret>
        <span className={kit.mono}>{inUse ?? '•••••'}</span>
        <Button
          aria-label={`Replace ${titleOf(field)}`}
          autoFocus={next === 'button'}
          onClick={() => {
            setIsOpen(true);
            setNext('field');
          }}
        >
          Replace
        </Button>
      </div>
    );
  }
  const text = {
    ...control,
    isSecret: field.visible !== true,
    autoFocus: next === 'field',
    value: typeof edited?.value === 'string' ? edited.value : '',
    change: (typed: string) => {
      // From now on the edit keeps it open.
      setIsOpen(false);
      change(typed);
    },
  };
  return (
    <div className={kit.row}>
      <div className={kit.grow}>
        {isLong ? <LongText {...text} /> : <AnyText {...text} placeholder={isSet ? inUse : undefined} />}
      </div>
      {isSet ? (
        <Button
          onClick={() => {
            setIsOpen(false);
            setNext('button');
            keep();
          }}
        >
          Undo
        </Button>
      ) : null}
    </div>
  );
}
