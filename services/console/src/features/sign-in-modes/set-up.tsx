import type { DestinationTypeAnswer, FieldAnswer, SignInModeAnswer } from '../../../../api/contract/forms.ts';
import { CopyButton } from '../../kit/copy/copy-button.tsx';
import kit from '../../kit/kit.module.css';
import { titleOf } from '../../schema-form/fields.ts';

/** What the API tells about a stored destination: its audience, which is masked elsewhere, and its session name. */
export type Known = { aud: string | null; role_session_name: string | null };

/** What to do at the store for a mode, with this installation's issuer and subject filled in. */
export function SetUp({
  mode,
  identity,
  name,
  fields,
  values,
  known,
}: {
  mode: SignInModeAnswer;
  identity: DestinationTypeAnswer['identity'];
  name: string;
  fields: FieldAnswer[];
  values: Record<string, unknown>;
  known: Known | undefined;
}) {
  const sub = identity?.sub.replace('{name}', name || '<destination name>') ?? '';
  const fill = (text: string): string =>
    text.replace(/\{(\w+)\}/g, (whole, word: string) => {
      if (word === 'iss') return identity?.iss ?? whole;
      if (word === 'issuer') return identity?.iss.replace(/^https?:\/\//, '') ?? whole;
      if (word === 'sub') return sub;
      if (word === 'session') return known?.role_session_name ?? '<session name>';
      const field = word === 'aud' ? 'identity_token_audience' : word;
      return textIn(values[field]) ?? (word === 'aud' ? known?.aud : null) ?? `<${labelIn(fields, field)}>`;
    });
  const isOn = (field: string | null): boolean => field !== null && values[field] === true;
  const steps = mode.steps.filter(({ when, unless }) => (when === null || isOn(when)) && !isOn(unless));
  const isFederated = mode.mode === 'federated' && identity !== null;
  return (
    <section className={`${kit.stack} ${kit.tight}`} aria-label="Set up at the store">
      <h3>Set up at the store</h3>
      {isFederated ? (
        <>
          <Line label="Issuer" text={identity.iss} />
          <Line label="Subject" text={sub} />
          {identity.iss.startsWith('https:') ? null : (
            <p>
              <strong>This issuer is not public.</strong> Stores fetch its keys over public https. Ask the
              operator to set <code>ISSUER_URL</code> first.
            </p>
          )}
        </>
      ) : null}
      <ol className={`${kit.stack} ${kit.tight}`}>
        {steps.map(({ text, code }) => (
          <li key={text} className={`${kit.stack} ${kit.tight}`}>
            <p>{fill(text)}</p>
            {code === null ? null : <Code text={fill(code)} />}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Line({ label, text }: { label: string; text: string }) {
  return (
    <div className={kit.row}>
      <span className={kit.label}>{label}</span>
      <code>{text}</code>
      <CopyButton text={text}>{`Copy the ${label.toLowerCase()}`}</CopyButton>
    </div>
  );
}

function Code({ text }: { text: string }) {
  return (
    <>
      <pre className={kit.code}>{text}</pre>
      <div>
        <CopyButton text={text} />
      </div>
    </>
  );
}

// A stored value that is masked says nothing.
function textIn(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value !== '*****' ? value : null;
}

function labelIn(fields: FieldAnswer[], name: string): string {
  const field = fields.find((one) => one.name === name);
  return field ? titleOf(field) : name;
}
