import { useState } from 'react';
import type { AlertTestAnswer } from '../../../../api/contract/alerts.ts';
import { ask } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { rightFor } from '../../api/right.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { FailureNotice } from '../../kit/failure-notice.tsx';
import { Notice } from '../../kit/notice.tsx';
import { Action } from '../../kit/rights/action.tsx';
import { namesOfSecrets } from '../../schema-form/fields.ts';
import type { FieldAnswer } from '../../../../api/contract/forms.ts';
import type { Edits } from '../../schema-form/schema-form.tsx';
import { alertPath } from './queries.ts';

type Result = { answer: AlertTestAnswer; of: Edits };

/** Sends a test of what the form shows, typed or stored. The result goes away as soon as the form shows something else. */
export function TestTyped({
  name,
  edits,
  body,
  fields,
}: {
  name: string;
  edits: Edits;
  /** The body of the call that saves the edits. */
  body: Edits;
  fields: FieldAnswer[];
}) {
  const [result, setResult] = useState<Result | null>(null);
  const { busy, failure, attempt } = useAttempt();
  const call = testOf(name, body);
  const test = () =>
    attempt(async () => {
      setResult(null);
      setResult({ answer: await ask<AlertTestAnswer>(call), of: edits });
    });
  return (
    <>
      <Action call={call} secrets={namesOfSecrets(fields)} busy={busy} onClick={() => void test()}>
        {busy ? 'Sending…' : 'Send a test'}
      </Action>
      {failure ? <FailureNotice failure={failure} /> : null}
      {result?.of === edits ? <Tries answer={result.answer} /> : null}
    </>
  );
}

function Tries({ answer }: { answer: AlertTestAnswer }) {
  return (
    <Notice tone={answer.ok ? 'ok' : 'person'}>
      <ul>
        {answer.tries.map(({ recipient, ok, detail }) => (
          <li key={recipient}>
            {ok ? 'Sent to' : 'Not sent to'} {recipient}: {detail}
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
