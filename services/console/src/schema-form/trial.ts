import { useState, type ReactNode } from 'react';
import type { useEdits } from './edits.ts';

/** A test of what a form shows. `run` gets the work, which resolves to what to say of its result. */
export type Trial = { busy: boolean; run: (work: () => Promise<ReactNode>) => void };

/**
 * Tests what a form shows, typed or stored. A refusal is shown at its fields, as that of a save; `news`, the result, goes
 * away as soon as the form shows something else.
 */
export function useTrial(form: ReturnType<typeof useEdits>): Trial & { news: ReactNode } {
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<{ news: ReactNode; about: unknown } | null>(null);
  const run = async (work: () => Promise<ReactNode>): Promise<void> => {
    form.clear();
    setResult(null);
    if (!form.isComplete('Not tested.')) return;
    setBusy(true);
    try {
      setResult({ news: await work(), about: form.edits });
    } catch (refusal) {
      form.refuse(refusal, 'Not tested.');
    } finally {
      setBusy(false);
    }
  };
  return {
    busy,
    run: (work) => void run(work),
    news: result?.about === form.edits && !form.saved && !form.failure ? result.news : null,
  };
}
