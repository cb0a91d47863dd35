import { useQueryClient } from '@tanstack/react-query';
import { useId, useState, type ReactNode } from 'react';
import type { SettingsActionAnswer } from '../../../../api/contract/forms.ts';
import { carryOut } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import kit from '../../kit/kit.module.css';
import { Notice } from '../../kit/notice.tsx';
import { GuardedButton } from '../../kit/rights/guarded-button.tsx';
import { SchemaDialog } from '../../schema-form/schema-dialog.tsx';
import type { Edits } from '../../schema-form/schema-form.tsx';
import { UnsavedRemark } from './unsaved-remark.tsx';

/** An action on settings other than a change. It asks for confirmation first. */
export function SettingsAction({
  action,
  type,
  idle,
  off = '',
  isUnsaved = false,
  running,
  children,
}: {
  action: SettingsActionAnswer;
  type: string;
  /** The text of its button while it runs; absent: the text stays. */
  running?: string | undefined;
  /** Why there is nothing that the action could change, which is then said in its place; empty: there is something; absent: there always is. */
  idle?: string | undefined;
  /** Why it is not possible yet; empty: it is. */
  off?: string;
  /** It uses what is stored, and something else is typed. */
  isUnsaved?: boolean;
  /** What it does to this installation, for the question; absent: the description says it all. */
  children?: ReactNode;
}) {
  const { title, description } = action;
  const [isOpen, setIsOpen] = useState(false);
  const [isDone, setIsDone] = useState(false);
  return (
    <section className={`${kit.card} ${kit.stack} ${kit.tight}`}>
      <h2>{title}</h2>
      {isDone && idle !== '' ? <Notice tone="ok">Done.</Notice> : null}
      {idle ? (
        <p className={kit.muted}>{idle}</p>
      ) : (
        <Offer
          action={action}
          off={off}
          isUnsaved={isUnsaved && off === ''}
          open={() => {
            setIsDone(false);
            setIsOpen(true);
          }}
        />
      )}
      {isOpen ? (
        <Question
          action={action}
          type={type}
          running={running}
          close={() => setIsOpen(false)}
          done={() => setIsDone(true)}
        >
          {children ?? <p>{description}</p>}
        </Question>
      ) : null}
    </section>
  );
}

function Offer({
  action: { path, title, description, irrevocable },
  off,
  isUnsaved,
  open,
}: {
  action: SettingsActionAnswer;
  off: string;
  isUnsaved: boolean;
  open: () => void;
}) {
  const id = useId();
  return (
    <>
      <p className={kit.muted}>{description}</p>
      <div>
        <GuardedButton
          call={{ method: 'POST', path }}
          kind={irrevocable ? 'danger' : undefined}
          disabled={off !== ''}
          aria-describedby={off || isUnsaved ? id : undefined}
          onClick={open}
        >
          {title}…
        </GuardedButton>
      </div>
      {off ? <p id={id}>{off}</p> : null}
      {isUnsaved ? <UnsavedRemark id={id} /> : null}
    </>
  );
}

function Question({
  action: { path, title, irrevocable, attributes },
  type,
  running,
  close,
  done,
  children,
}: {
  action: SettingsActionAnswer;
  type: string;
  running: string | undefined;
  close: () => void;
  done: () => void;
  children: ReactNode;
}) {
  const queries = useQueryClient();
  const callOf = (values: Edits): Call => ({
    method: 'POST',
    path,
    body: attributes.length > 0 ? { data: { type, attributes: values } } : {},
  });
  return (
    <SchemaDialog
      title={title}
      action={title}
      running={running}
      isDangerous={irrevocable}
      fields={attributes}
      close={close}
      callOf={callOf}
      carryOut={async (values) => {
        await carryOut(callOf(values));
        done();
        await queries.invalidateQueries({ queryKey: ['settings'] });
      }}
    >
      {children}
      {irrevocable ? <p>This cannot be undone.</p> : null}
    </SchemaDialog>
  );
}
