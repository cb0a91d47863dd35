import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import kit from '../kit/kit.module.css';

const GO: Record<string, string> = {
  o: '/',
  p: '/problems',
  d: '/destinations',
  s: '/secrets/',
  a: '/audit',
};

const HELP: [string, string][] = [
  ['g o', 'Overview'],
  ['g p', 'Problems'],
  ['g d', 'Destinations'],
  ['g s', 'Secrets'],
  ['g a', 'Audit'],
  ['/', 'Filter this page'],
  ['↑ ↓ or j k', 'Move in a list'],
  ['Enter', 'Open the row'],
  ['?', 'This help'],
];

const SEQUENCE_MS = 1500;

/** Single keys, where nobody types. */
export function useShortcuts(): { helpIsOpen: boolean; closeHelp: () => void } {
  const navigate = useNavigate();
  const [helpIsOpen, setHelpIsOpen] = useState(false);
  useEffect(() => {
    let goingSince = 0;
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const target = performance.now() - goingSince < SEQUENCE_MS ? GO[event.key] : undefined;
      goingSince = event.key === 'g' ? performance.now() : 0;
      if (target !== undefined) void navigate({ to: target });
      else if (event.key === '?') setHelpIsOpen(true);
      else if (event.key === '/') focusFilter(event);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [navigate]);
  return { helpIsOpen, closeHelp: () => setHelpIsOpen(false) };
}

export function ShortcutHelp({ close }: { close: () => void }) {
  return (
    <Dialog title="Keys" close={close}>
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
