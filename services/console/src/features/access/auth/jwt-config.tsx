import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AuthKindAnswer } from '../../../../../api/contract/forms.ts';
import { carryOut, pathOf } from '../../../api/client.ts';
import type { Call } from '../../../api/curl.ts';
import kit from '../../../kit/kit.module.css';
import { Notice } from '../../../kit/notice.tsx';
import { Loaded } from '../../../kit/page.tsx';
import { GuardedButton } from '../../../kit/rights/guarded-button.tsx';
import { withToken } from '../../../kit/rights/with-token.tsx';
import { counted } from '../../../kit/text/counted.ts';
import { Time } from '../../../kit/time.tsx';
import { SchemaDialog } from '../../../schema-form/schema-dialog.tsx';
import type { Edits } from '../../../schema-form/schema-form.tsx';
import { configQuery, type AuthMethod } from './queries.ts';

const KEYS = 'jwt_validation_pubkeys';
const PEM = /-----BEGIN [^-]+-----[^-]+-----END [^-]+-----/g;

/** Whose tokens log in at an auth method, and since when their keys are known. */
export function JwtConfig({ method, kind }: { method: AuthMethod; kind: AuthKindAnswer }) {
  const [isOpen, setIsOpen] = useState(false);
  const query = useQuery(configQuery(method.path));
  return (
    <section className={`${kit.card} ${kit.stack}`}>
      <div className={`${kit.row} ${kit.spread}`}>
        <h2>Issuer</h2>
        <GuardedButton
          call={{ method: 'POST', path: configPath(method) }}
          onClick={() => setIsOpen(true)}
          disabled={!query.data}
        >
          Change the issuer…
        </GuardedButton>
      </div>
      <Loaded query={query}>{(config) => <Standing config={config} />}</Loaded>
      {isOpen && query.data ? (
        <Change method={method} kind={kind} config={query.data} close={() => setIsOpen(false)} />
      ) : null}
    </section>
  );
}

function Standing({ config }: { config: Record<string, unknown> }) {
  const {
    oidc_discovery_url: issuer,
    jwks_url: keySet,
    keys,
    keys_fetched_at: fetched,
    keys_fault: fault,
  } = config as {
    oidc_discovery_url: string;
    jwks_url: string;
    keys: number;
    keys_fetched_at: string | null;
    keys_fault: string | null;
  };
  const source = issuer || keySet;
  if (keys === 0 && source === '') return <p>No issuer yet: nobody can log in here.</p>;
  return (
    <>
      <p>
        {source ? <code>{source}</code> : 'Keys that were given here'} · {counted(keys, 'key')}
        {source && fetched ? (
          <>
            , fetched <Time at={fetched} />
          </>
        ) : null}
      </p>
      {fault ? <Notice tone="limited">The last try to fetch the keys failed: {fault}.</Notice> : null}
    </>
  );
}

function Change({
  method,
  kind,
  config,
  close,
}: {
  method: AuthMethod;
  kind: AuthKindAnswer;
  config: Record<string, unknown>;
  close: () => void;
}) {
  const queries = useQueryClient();
  const values = { ...config, [KEYS]: (config[KEYS] as string[]).join('\n') };
  // The call replaces the whole configuration.
  const callOf = (edits: Edits): Call => {
    const all = kind.config.map(({ name }): [string, unknown] => {
      const value = Object.hasOwn(edits, name) ? edits[name] : values[name as keyof typeof values];
      return [name, name === KEYS ? keysIn(value) : (value ?? '')];
    });
    return { method: 'POST', path: configPath(method), body: Object.fromEntries(all) };
  };
  return (
    <SchemaDialog
      title={`Issuer of ${method.path}/`}
      action="Save"
      needsToken
      fields={kind.config}
      values={values}
      close={close}
      callOf={callOf}
      carryOut={async (edits, token) => {
        await withToken(callOf(edits), token, carryOut);
        await queries.invalidateQueries(configQuery(method.path));
      }}
    >
      <p className={kit.muted}>
        Name one: the issuer’s URL, the URL of its key set, or its public keys themselves.
      </p>
    </SchemaDialog>
  );
}

// What is no key at all is sent as it is: the API says what is wrong with it.
function keysIn(value: unknown): string[] {
  const text = typeof value === 'string' ? value : '';
  return text.match(PEM) ?? (text.trim() === '' ? [] : [text]);
}

function configPath({ path }: AuthMethod): string {
  return `auth/${pathOf(path)}/config`;
}
