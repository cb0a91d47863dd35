import type { ReactNode } from 'react';
import { Changed } from '../kit/changed.tsx';
import kit from '../kit/kit.module.css';
import { useWrongField } from '../kit/refusing/wrong-field.ts';
import type { useEdits } from './edits.ts';
import { MissingSecrets } from './missing.ts';

/**
 * The frame of a form for something stored: who changed it last, and Save. It does not save over a change that the user
 * has not seen. A refusal leads to the first field that it marked.
 */
export function EditFrame({
  form,
  review,
  isAsking = false,
  leave,
  children,
}: {
  form: ReturnType<typeof useEdits>;
  /** Asks the user before anything is saved; absent: Save saves. */
  review?: () => void;
  /** The question is open, so the form cannot take the focus yet. */
  isAsking?: boolean;
  /** The user goes on from a field to something other than a button. */
  leave?: () => void;
  children: ReactNode;
}) {
  const frame = useWrongField<HTMLFormElement>(isAsking ? null : form.failure);
  return (
    <form
      ref={frame}
      className={kit.form}
      onBlur={({ relatedTarget }) => {
        // A fault that appears would move a button away before it is pressed.
        if (!(relatedTarget instanceof HTMLButtonElement)) leave?.();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        if (form.isOvertaken || !form.isComplete()) return;
        if (review) review();
        else void form.submit();
      }}
    >
      <Changed {...form.last} />
      <MissingSecrets value={form.noteMissing}>{children}</MissingSecrets>
    </form>
  );
}
