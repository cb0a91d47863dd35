import { X } from 'lucide-react';
import { useState, type ComponentProps } from 'react';
import { Button } from '../../kit/button.tsx';
import kit from '../../kit/kit.module.css';
import { optionsOf } from '../../kit/picker/options.ts';
import { Picker } from '../../kit/picker/picker.tsx';

/** A list of words, each of which is picked or typed. What stands in the field counts too, before Enter makes it a chip. */
export function ListInput({
  items,
  known,
  change,
  ...control
}: Pick<
  ComponentProps<'input'>,
  'id' | 'disabled' | 'aria-invalid' | 'aria-required' | 'aria-describedby'
> & {
  items: string[];
  /** What can be picked; others are typed. */
  known: string[];
  change: (items: string[]) => void;
}) {
  // `isAdded`: what is typed is the last of the items.
  const [{ text, isAdded }, setTyped] = useState({ text: '', isAdded: false });
  const isThere = isAdded && items.at(-1) === wordsOf(text).at(-1);
  const chips = isThere ? items.slice(0, -1) : items;
  const add = (more: string): void => {
    setTyped({ text: '', isAdded: false });
    change([...new Set([...chips, ...wordsOf(more)])]);
  };
  const type = (next: string): void => {
    const words = wordsOf(next);
    const word = words.at(-1) ?? '';
    const done = [...new Set([...chips, ...words.slice(0, -1)])];
    // A word that is a chip already stays one, and is no second one.
    const isNew = word !== '' && !done.includes(word);
    setTyped({ text: words.length > 1 ? word : next, isAdded: isNew });
    change(isNew ? [...done, word] : done);
  };
  return (
    <div className={`${kit.stack} ${kit.tight}`}>
      <Chips
        chips={chips}
        isFixed={control.disabled === true}
        remove={(chip) => change(items.filter((item) => item !== chip))}
      />
      <Picker
        {...control}
        options={optionsOf(known.filter((option) => !chips.includes(option)))}
        // Otherwise it was discarded.
        value={isThere || !isAdded ? text : ''}
        change={type}
        pick={add}
        takeLines={add}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || text.trim() === '') return;
          event.preventDefault();
          add(text);
        }}
      />
    </div>
  );
}

// Addresses of email may stand in one line. Other words may have blanks and commas in them.
function wordsOf(text: string): string[] {
  return text.split(/[\r\n]+/).flatMap((line) => {
    const words = line.split(/[\s,;]+/).filter(Boolean);
    return words.every((word) => word.includes('@')) ? words : [line.trim()];
  });
}

function Chips({
  chips,
  isFixed,
  remove,
}: {
  chips: string[];
  isFixed: boolean;
  remove: (chip: string) => void;
}) {
  if (chips.length === 0) return null;
  return (
    <ul className={kit.row}>
      {chips.map((chip) => (
        <li key={chip} className={kit.chip}>
          {chip}
          <Button
            kind="quiet"
            className={kit.icon}
            aria-label={`Remove ${chip}`}
            disabled={isFixed}
            onClick={() => remove(chip)}
          >
            <X size={14} aria-hidden />
          </Button>
        </li>
      ))}
    </ul>
  );
}
