import { X } from 'lucide-react';
import { useState, type ComponentProps } from 'react';
import { Button } from '../../kit/button.tsx';
import kit from '../../kit/kit.module.css';
import { optionsOf, sayAbsent } from '../../kit/picker/options.ts';
import { Picker } from '../../kit/picker/picker.tsx';

/** A list of words, each of which is picked or typed. What stands in the field counts too, before Enter makes it a chip. */
export function ListInput({
  items,
  known,
  noun,
  change,
  ...control
}: Pick<
  ComponentProps<'input'>,
  'id' | 'disabled' | 'aria-invalid' | 'aria-required' | 'aria-describedby'
> & {
  items: string[];
  /** What can be picked; others are typed. */
  known: string[];
  /** What each of them is, if nothing else exists. */
  noun?: string | undefined;
  change: (items: string[]) => void;
}) {
  const { chips, shown, typed, add, type } = useWords(items, change);
  // A fault says more of them.
  const absent = control['aria-invalid'] ? [] : absentOf(chips, typed, known);
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
        value={shown}
        change={type}
        pick={add}
        takeLines={add}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || shown.trim() === '') return;
          event.preventDefault();
          add(shown);
        }}
      />
      {noun ? <Absent noun={noun} names={absent} /> : null}
    </div>
  );
}

function Absent({ noun, names }: { noun: string; names: string[] }) {
  return (
    <p role="status" className={`${kit.small} ${kit.fault}`}>
      {names.length > 0 ? sayAbsent(noun, names) : ''}
    </p>
  );
}

// Which of the words are chips, and what stands in the field. `typed`: the part of it that is the last of the words.
function useWords(items: string[], change: (items: string[]) => void) {
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
  // What was added and is no longer among the words was discarded.
  return { chips, shown: isThere || !isAdded ? text : '', typed: isThere ? text : '', add, type };
}

// No name, pattern or address that is picked has a blank or a comma in it.
function wordsOf(text: string): string[] {
  return text.split(/[\s,;]+/).filter(Boolean);
}

// Those that do not exist; the last one may still be on its way to a name.
function absentOf(chips: string[], typed: string, known: string[]): string[] {
  const last = wordsOf(typed).slice(-1);
  return [
    ...chips.filter((chip) => !known.includes(chip.toLowerCase())),
    ...last.filter((word) => !known.some((name) => name.startsWith(word.toLowerCase()))),
  ];
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
