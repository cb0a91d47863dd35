import type { ComponentProps } from 'react';
import kit from '../../kit/kit.module.css';

/** A choice of words, each with what people read for it. `unset`: what they read for none of them. */
export function ChoiceInput({
  value,
  words,
  unset,
  change,
  ...control
}: ComponentProps<'select'> & {
  value: string;
  words: [word: string, label: string][];
  unset: string;
  change: (word: string) => void;
}) {
  return (
    <select {...control} className={kit.input} value={value} onChange={(event) => change(event.target.value)}>
      {words.some(([word]) => word === value) ? null : <option value="">{unset}</option>}
      {words.map(([word, label]) => (
        <option key={word} value={word}>
          {label}
        </option>
      ))}
    </select>
  );
}
