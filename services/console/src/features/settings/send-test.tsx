import { useState } from 'react';
import type { FieldAnswer } from '../../../../api/contract/forms.ts';
import { carryOut } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import kit from '../../kit/kit.module.css';
import { Notice } from '../../kit/notice.tsx';
import { GuardedButton } from '../../kit/rights/guarded-button.tsx';
import { textOf } from '../../schema-form/fields.ts';
import { SchemaDialog } from '../../schema-form/schema-dialog.tsx';
import type { Edits } from '../../schema-form/schema-form.tsx';
import { UnsavedRemark } from './unsaved-remark.tsx';

const REMARK = 'about-test-message';

/** The attribute that names who gets a test message. */
export const TEST_ADDRESS = 'test-email-address';

const ADDRESS: FieldAnswer = { name: TEST_ADDRESS, title: 'Email address', is_required: true };

/** Sends a message with the stored settings. `path`: of the settings; `type`: of their document; `isUnsaved`: others are typed. */
export function SendTest({ path, type, isUnsaved }: { path: string; type: string; isUnsaved: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  const [sentTo, setSentTo] = useState('');
  const callOf = (values: Edits): Call => ({
    method: 'PATCH',
    path,
    body: { data: { type, attributes: values } },
  });
  return (
    <section className={`${kit.card} ${kit.stack} ${kit.tight}`}>
      <h2>Send a test</h2>
      <p className={kit.muted}>Sends a message with the saved settings.</p>
      <div>
        <GuardedButton
          call={callOf({})}
          aria-describedby={isUnsaved ? REMARK : undefined}
          onClick={() => {
            setSentTo('');
            setIsOpen(true);
          }}
        >
          Send a test…
        </GuardedButton>
      </div>
      {isUnsaved ? <UnsavedRemark id={REMARK} /> : null}
      {sentTo ? <Notice tone="ok">Sent to {sentTo}.</Notice> : null}
      {isOpen ? (
        <SchemaDialog
          title="Send a test"
          action="Send"
          running="Sending…"
          fields={[ADDRESS]}
          callOf={callOf}
          carryOut={async (values) => {
            await carryOut(callOf(values));
            setSentTo(textOf(values[ADDRESS.name]));
          }}
          close={() => setIsOpen(false)}
        />
      ) : null}
    </section>
  );
}
