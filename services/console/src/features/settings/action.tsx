import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SettingsActionAnswer } from '../../../../api/contract/answers.ts';
import { call } from '../../api/client.ts';
import { Button } from '../../kit/button.tsx';
import kit from '../../kit/kit.module.css';
import { Notice } from '../../kit/notice.tsx';
import { SchemaDialog } from '../../schema-form/schema-dialog.tsx';

/** Something that can be done about settings beside changing them. It asks before it does. */
export function SettingsAction({ action, type }: { action: SettingsActionAnswer; type: string }) {
  const { path, title, description, irrevocable, attributes } = action;
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const [isDone, setIsDone] = useState(false);
  return (
    <section className={`${kit.card} ${kit.stack} ${kit.tight}`}>
      <h2>{title}</h2>
      <p className={kit.muted}>{description}</p>
      {isDone ? <Notice tone="ok">Done.</Notice> : null}
      <div>
        <Button
          kind={irrevocable ? 'danger' : undefined}
          onClick={() => {
            setIsDone(false);
            setIsOpen(true);
          }}
        >
          {title}…
        </Button>
      </div>
      {isOpen ? (
        <SchemaDialog
          title={title}
          action={title}
          isDangerous={irrevocable}
          fields={attributes}
          close={() => setIsOpen(false)}
          carryOut={async (values) => {
            const body = attributes.length > 0 ? { data: { type, attributes: values } } : {};
            await call('POST', path, { body });
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
