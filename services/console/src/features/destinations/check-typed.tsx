import type { FieldAnswer } from '../../../../api/contract/forms.ts';
import type { Call } from '../../api/curl.ts';
import { ApiFailure } from '../../api/failure.ts';
import { destinationPath } from '../../api/queries.ts';
import { rightFor } from '../../api/right.ts';
import kit from '../../kit/kit.module.css';
import { Action } from '../../kit/rights/action.tsx';
import { namesOfSecrets } from '../../schema-form/fields.ts';
import type { Trial } from '../../schema-form/trial.ts';
import { CheckNotice, faultsOfSettings, tryCredentials } from '../plans/check.tsx';

/** The call that tests a destination with the settings of a PATCH, or as it is stored if there are none. */
export function checkOf(type: string, name: string, body: Record<string, unknown>): Call {
  const path = `${destinationPath(type, name)}/check`;
  const check = rightFor('POST', path);
  if (Object.keys(body).length === 0) return { method: 'POST', path, rights: [check] };
  return { method: 'POST', path, body, rights: [check, rightFor('PATCH', destinationPath(type, name))] };
}

/** Tests the credentials that a form shows, typed or stored. On a phone, it says of which destination. */
export function CheckTyped({
  type,
  name,
  body,
  fields,
  trial: { busy, run },
}: {
  type: string;
  name: string;
  /** The body of the call that saves the edits. */
  body: Record<string, unknown>;
  fields: FieldAnswer[];
  trial: Trial;
}) {
  const call = checkOf(type, name, body);
  const isTyped = Object.keys(body).length > 0;
  const test = async () => {
    const checked = await tryCredentials(call);
    const [named] = Object.entries(faultsOfSettings(checked, fields));
    if (named) throw new ApiFailure({ status: 400, problems: [{ field: named[0], detail: named[1] }] });
    return (
      <CheckNotice
        checked={checked}
        of={isTyped ? 'Credentials' : 'Stored credentials'}
        rest={isTyped ? 'Not saved yet.' : ''}
        fields={fields}
      />
    );
  };
  return (
    <>
      <span className={kit.subject}>{name}</span>
      <Action call={call} secrets={namesOfSecrets(fields)} busy={busy} onClick={() => run(test)}>
        {busy ? 'Testing…' : 'Test connection'}
      </Action>
    </>
  );
}
