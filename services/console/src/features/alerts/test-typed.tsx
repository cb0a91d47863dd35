import { useQueryClient } from '@tanstack/react-query';
import type { AlertTestAnswer } from '../../../../api/contract/alerts.ts';
import { ask } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { rightFor } from '../../api/right.ts';
import { Notice } from '../../kit/notice.tsx';
import { Action } from '../../kit/rights/action.tsx';
import { namesOfSecrets } from '../../schema-form/fields.ts';
import type { FieldAnswer } from '../../../../api/contract/forms.ts';
import type { Edits } from '../../schema-form/schema-form.tsx';
import type { Trial } from '../../schema-form/trial.ts';
import { isMailOff, MailOff } from './mail-off.tsx';
import { alertPath, deliveriesQuery } from './queries.ts';

/** Sends a test of what the form shows, typed or stored. */
export function TestTyped({
  name,
  body,
  fields,
  trial: { busy, run },
}: {
  name: string;
  /** The body of the call that saves the edits. */
  body: Edits;
  fields: FieldAnswer[];
  trial: Trial;
}) {
  const call = testOf(name, body);
  const queries = useQueryClient();
  const test = async () => {
    const answer = await ask<AlertTestAnswer>(call);
    await queries.invalidateQueries({ queryKey: deliveriesQuery(name).queryKey });
    return <Tries answer={answer} />;
  };
  return (
    <Action call={call} secrets={namesOfSecrets(fields)} busy={busy} onClick={() => run(test)}>
      {busy ? 'Sending…' : 'Send a test'}
    </Action>
  );
}

function Tries({ answer }: { answer: AlertTestAnswer }) {
  return (
    <Notice tone={answer.ok ? 'ok' : 'person'}>
      <ul>
        {answer.tries.map(({ recipient, ok, detail }) => (
          <li key={recipient}>
            {ok ? 'Sent to' : 'Not sent to'} {recipient}:{' '}
            {isMailOff(detail) ? <MailOff /> : detail.replace(/^Not sent: /, '')}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

// What is typed may be sent only by those who may store it.
function testOf(name: string, body: Edits): Call {
  const path = `${alertPath(name)}/test`;
  const test = rightFor('POST', path);
  if (Object.keys(body).length === 0) return { method: 'POST', path, rights: [test] };
  return { method: 'POST', path, body, rights: [test, rightFor('POST', alertPath(name))] };
}
