import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SettingsActionAnswer } from '../../../../api/contract/forms.ts';
import { carryOut } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import kit from '../../kit/kit.module.css';
import { Notice } from '../../kit/notice.tsx';
import { GuardedButton } from '../../kit/rights/guarded-button.tsx';
import { SchemaDialog } from '../../schema-form/schema-dialog.tsx';
import type { Edits } from '../../schema-form/schema-form.tsx';

/** An action on settings other than a change. It asks for confirmation first. */
export function SettingsAction({
  action,
  type,
  isIdle,
}: {
  action: SettingsActionAnswer;
  type: string;
  /** There is nothing that the action could change. */
  isIdle: boolean;
}) {
  const { path, title, description, irrevocable, attributes } = action;
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const [isDone, setIsDone] = useState(false);
  const callOf = (values: Edits): Call => ({
    method: 'POST',
    path,
    body: attributes.length > 0 ? { data: { type, attributes: values } } : {},
  });
  return (
    <section className={`${kit.card} ${kit.stack} ${kit.tight}`}>
      <h2>{title}</h2>
      <p className={kit.muted}>{description}</p>
      {isIdle && !isDone ? <p>There is none.</p> : null}
      {isDone ? <Notice tone="ok">Done.</Notice> : null}
      <div>
        <GuardedButton
          call={{ method: 'POST', path }}
          kind={irrevocable ? 'danger' : undefined}
          disabled={isIdle}
          onClick={() => {
            setIsDone(false);
            setIsOpen(true);
          }}
        >
          {title}…
        </GuardedButton>
      </div>
      {isOpen ? (
        <SchemaDialog
          title={title}
          action={title}
          isDangerous={irrevocable}
          fields={attributes}
          close={() => setIsOpen(false)}
          callOf={callOf}
          carryOut={async (values) => {
            await carryOut(callOf(values));
            setIsDone(true);
            await queries.invalidateQueries({ queryKey: ['settings'] });
          }}
        >
          <p>{description}</p>
          {irrevocable ? <p>This cannot be undone.</p> : null}
        </SchemaDialog>
      ) : null}
    </section>
  );
}
