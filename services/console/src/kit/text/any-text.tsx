import { useState, type ComponentProps } from 'react';
import { LineInput } from './line-input.tsx';
import { LongText } from './long-text.tsx';

type Props = Omit<ComponentProps<typeof LongText>, 'onPaste' | 'onDrop'> & { placeholder?: string };

/** A field for one line, which becomes one for many as soon as its text has several. */
export function AnyText({ isSecret = false, ...field }: Props) {
  const [isLong, setIsLong] = useState(false);
  if (isLong || /[\r\n]/.test(field.value)) {
    return <LongText {...field} isSecret={isSecret} autoFocus={isLong || field.autoFocus} />;
  }
  const {
    id,
    value,
    change,
    disabled,
    placeholder,
    autoFocus,
    'aria-invalid': invalid,
    'aria-required': required,
  } = field;
  const hints = isSecret
    ? { type: 'password', autoComplete: 'new-password', 'data-1p-ignore': true, translate: 'no' as const }
    : {};
  return (
    <LineInput
      {...hints}
      id={id}
      aria-label={field['aria-label']}
      disabled={disabled}
      autoFocus={autoFocus}
      placeholder={placeholder}
      aria-invalid={invalid}
      aria-required={required}
      aria-describedby={field['aria-describedby']}
      value={value}
      change={change}
      takeLines={(text) => {
        setIsLong(true);
        change(text);
      }}
    />
  );
}
