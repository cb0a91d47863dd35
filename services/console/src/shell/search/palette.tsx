import { useNavigate } from '@tanstack/react-router';
import { useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Dialog } from '../../kit/dialog.tsx';
import kit from '../../kit/kit.module.css';
import styles from './palette.module.css';
import type { Found } from './finding.ts';
import { useFound } from './found.ts';
import { VERBATIM } from '../../kit/text/exact-text.ts';

/** Searches pages, destinations, secrets and actions, from any page. */
export default function Palette({
  text,
  setText,
  close,
  showKeys,
}: {
  text: string;
  setText: (text: string) => void;
  close: () => void;
  showKeys: () => void;
}) {
  const navigate = useNavigate();
  const id = useId();
  const [active, setActive] = useState(0);
  const [dialog, setDialog] = useState<ReactNode>(null);
  const found = useFound(text, { navigate, showKeys });
  const position = Math.min(active, found.length - 1);
  const choose = (one: Found | undefined): void => {
    if (!one) return;
    // Choosing a folder searches in it; choosing anything else goes there.
    if (one.text !== undefined) return setText(one.text);
    if (one.ask) return setDialog(one.ask(close));
    close();
    one.run?.();
  };
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setActive((position + step + found.length) % Math.max(1, found.length));
    else if (event.key === 'Enter') choose(found[position]);
    else return;
    event.preventDefault();
  };
  if (dialog) return dialog;
  return (
    <Dialog title="Search" close={close} isPassing>
      <input
        role="combobox"
        className={kit.input}
        aria-label="Page, destination, secret or action"
        placeholder="Page, secret, destination, person, policy, “who may read …”"
        aria-expanded={found.length > 0}
        aria-controls={id}
        aria-activedescendant={found.length > 0 ? `${id}-${position}` : undefined}
        {...VERBATIM}
        autoFocus
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setActive(0);
        }}
        onKeyDown={press}
      />
      <Options id={id} found={found} at={position} point={setActive} choose={choose} />
    </Dialog>
  );
}

function Options({
  id,
  found,
  at,
  point,
  choose,
}: {
  id: string;
  found: Found[];
  at: number;
  point: (at: number) => void;
  choose: (one: Found) => void;
}) {
  return (
    <>
      {found.length === 0 ? <p className={kit.muted}>Nothing matches.</p> : null}
      <ul id={id} role="listbox" aria-label="Found" className={styles.list} hidden={found.length === 0}>
        {found.map((one, index) => (
          <li
            key={one.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            className={styles.option}
            onMouseMove={() => point(index)}
            onClick={() => choose(one)}
          >
            <span className={styles.label}>{one.label}</span>
            <span className={`${kit.small} ${kit.muted}`}>{one.kind}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
