import { lazy, Suspense, useState } from 'react';
import { Dialog } from '../../kit/dialog.tsx';
import kit from '../../kit/kit.module.css';
import { VERBATIM } from '../../kit/text/exact-text.ts';

const Palette = lazy(() => import('./palette.tsx'));

/**
 * The search of everything. Its field is there at once and keeps what is typed while the rest is loaded: otherwise the
 * letters would be shortcuts of the page behind it.
 */
export function SearchEverything({ close, showKeys }: { close: () => void; showKeys: () => void }) {
  const [text, setText] = useState('');
  const field = (
    <Dialog title="Search" close={close} isPassing>
      <input
        className={kit.input}
        aria-label="Page, destination, secret or action"
        {...VERBATIM}
        autoFocus
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </Dialog>
  );
  return (
    <Suspense fallback={field}>
      <Palette text={text} setText={setText} close={close} showKeys={showKeys} />
    </Suspense>
  );
}
