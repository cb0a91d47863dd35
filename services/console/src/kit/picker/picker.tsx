import { useId, useState, type ComponentProps, type KeyboardEvent } from 'react';
import kit from '../kit.module.css';
import { LineInput } from '../text/line-input.tsx';
import { matchingOptions, type Option } from './options.ts';
import styles from './picker.module.css';

type Props = Omit<ComponentProps<typeof LineInput>, 'value' | 'change' | 'role' | 'list'> & {
  /** What can be chosen. Something else may be typed: the user may have no right to list everything. */
  options: Option[];
  value: string;
  change: (text: string) => void;
  /** Gets what was chosen from the list; absent: it becomes the text. */
  pick?: (value: string) => void;
};

/** A field whose text is typed or chosen from a list, by keys, mouse or touch. */
export function Picker({ options, value, change, pick = change, ...input }: Props) {
  const id = useId();
  const list = useChoices(options, value, pick);
  const { found, active } = list;
  return (
    <div className={styles.picker}>
      <LineInput
        {...input}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={found.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
        value={value}
        change={(text) => {
          change(text);
          list.setOpen(true);
        }}
        onClick={() => list.setOpen(true)}
        onBlur={(event) => {
          list.setOpen(false);
          input.onBlur?.(event);
        }}
        onKeyDown={(event) => {
          if (!list.press(event)) input.onKeyDown?.(event);
        }}
      />
      <Choices id={id} found={found} active={active} choose={list.choose} />
    </div>
  );
}

// The list below the field: which options it shows, which of them is active, and what the keys do.
function useChoices(options: Option[], text: string, pick: (value: string) => void) {
  const [isOpen, setIsOpen] = useState(false);
  const [wanted, setWanted] = useState(-1);
  const found = isOpen ? matchingOptions(options, text) : [];
  const active = Math.min(wanted, found.length - 1);
  const setOpen = (open: boolean): void => {
    setIsOpen(open);
    setWanted(-1);
  };
  const choose = ({ value, isPrefix = false }: Option): void => {
    pick(value);
    setOpen(isPrefix);
  };
  const act = (event: KeyboardEvent): boolean => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = found[active];
    if (step !== undefined) {
      setIsOpen(true);
      setWanted(nextPlace(active, step, found.length));
    } else if (event.key === 'Enter' && chosen) choose(chosen);
    else if (event.key === 'Escape' && found.length > 0) setOpen(false);
    else return false;
    return true;
  };
  const press = (event: KeyboardEvent): boolean => {
    if (event.nativeEvent.isComposing || !act(event)) return false;
    // Neither the form nor the dialog around it acts too.
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  return { found, active, setOpen, choose, press };
}

function nextPlace(active: number, step: number, count: number): number {
  if (step > 0) return (active + 1) % Math.max(1, count);
  return (active <= 0 ? count : active) - 1;
}

function Choices({
  id,
  found,
  active,
  choose,
}: {
  id: string;
  found: Option[];
  active: number;
  choose: (option: Option) => void;
}) {
  return (
    <ul
      id={`${id}-list`}
      role="listbox"
      aria-label="Choices"
      className={styles.list}
      hidden={found.length === 0}
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
    >
      {found.map((option, index) => (
        <li
          key={option.value}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          className={styles.option}
          onClick={() => choose(option)}
        >
          <span>{option.value}</span>
          {option.about ? <span className={`${kit.small} ${kit.muted}`}>{option.about}</span> : null}
        </li>
      ))}
    </ul>
  );
}
