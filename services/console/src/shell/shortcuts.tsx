import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import kit from '../kit/kit.module.css';
import { runPageAction } from '../kit/rights/page-actions.ts';
import { isMove, moveInList } from './move-in-list.ts';
import { setSingleKeys, singleKeysAreOn } from './single-keys.ts';

const GO: Record<string, string> = {
  o: '/',
  p: '/problems',
  d: '/destinations',
  s: '/secrets/',
  a: '/audit',
  l: '/links',
  t: '/status',
  n: '/alerts',
  e: '/settings/saml',
  c: '/access/tokens',
};

const HELP: [string, string][] = [
  ['Ctrl K or ⌘ K', 'Search pages, destinations, secrets and actions'],
  ['g o', 'Overview'],
  ['g p', 'Problems'],
  ['g d', 'Destinations'],
  ['g s', 'Secrets'],
  ['g l', 'Links'],
  ['g n', 'Alerts'],
  ['g e', 'Settings'],
  ['g c', 'Access'],
  ['g a', 'Audit'],
  ['g t', 'Status'],
  ['/', 'Filter this page'],
  ['↑ ↓ or j k', 'Move through a list'],
  ['Enter', 'Open the row'],
  ['s', 'Sync now, on a link'],
  ['v', 'Verify, on a link'],
  ['?', 'Keyboard shortcuts'],
  ['Esc', 'Close'],
];

const SEQUENCE_MS = 1500;

/** What a key has opened. */
export type Opened = 'help' | 'search' | null;

/** Single keys work while the user is not typing. The search of everything works anywhere. */
export function useShortcuts(): { opened: Opened; open: (what: Opened) => void } {
  const navigate = useNavigate();
  const [opened, open] = useState<Opened>(null);
  useEffect(() => {
    let goingSince = -Infinity;
    const press = (event: KeyboardEvent): void => {
      if (event.key === 'k' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        // Another open dialog may hold what the user typed.
        if (!document.querySelector('dialog[open]')) open('search');
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (!singleKeysAreOn()) return;
      const target = performance.now() - goingSince < SEQUENCE_MS ? GO[event.key] : undefined;
      goingSince = event.key === 'g' ? performance.now() : -Infinity;
      if (target !== undefined) void navigate({ to: target });
      else if (event.key === '?') open('help');
      else if (event.key === '/') focusFilter(event);
      else if (isMove(event.key)) moveInList(event);
      else runPageAction(event.key);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [navigate]);
  return { opened, open };
}

export function ShortcutHelp({ close }: { close: () => void }) {
  const [isOn, setIsOn] = useState(singleKeysAreOn);
  return (
    <Dialog title="Keyboard shortcuts" close={close} isPassing>
      <dl className={kit.facts}>
        {HELP.map(([keys, meaning]) => (
          <div key={keys} style={{ display: 'contents' }}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <label className={kit.check}>
        <input
          type="checkbox"
          checked={isOn}
          onChange={(event) => {
            setSingleKeys(event.target.checked);
            setIsOn(event.target.checked);
          }}
        />
        <span>Single-key shortcuts. Ctrl K or ⌘ K always works.</span>
      </label>
      <div>
        <Button onClick={close}>Close</Button>
      </div>
    </Dialog>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.matches('input, textarea, select') || target.closest('dialog') !== null)
  );
}

function focusFilter(event: KeyboardEvent): void {
  const filter = document.querySelector<HTMLInputElement>('input[type="search"]');
  if (!filter) return;
  event.preventDefault();
  filter.focus();
}
