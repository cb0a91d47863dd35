import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { AuthKindAnswer, FieldAnswer } from '../../../../../api/contract/forms.ts';
import { carryOut, pathOf } from '../../../api/client.ts';
import type { Call } from '../../../api/curl.ts';
import { ApiFailure, type Problem } from '../../../api/failure.ts';
import kit from '../../../kit/kit.module.css';
import { Loaded } from '../../../kit/page.tsx';
import { GuardedButton } from '../../../kit/rights/guarded-button.tsx';
import { withToken } from '../../../kit/rights/with-token.tsx';
import { withoutNeedless } from '../../../schema-form/fields.ts';
import { ChangeDialog } from '../../../schema-form/meanwhile/change-dialog.tsx';
import type { Edits } from '../../../schema-form/schema-form.tsx';
import { configQuery, type AuthMethod } from './queries.ts';

const PEM = /-----BEGIN [^-]+-----[^-]+-----END [^-]+-----/g;

/** The configuration of an auth method, as the API shows it; empty before the first. */
export type Config = Record<string, unknown>;

/** What the page of a type says about its configuration. `keys`: the field that holds public keys. */
type Words = { title: string; setUp: string; change: string; none: string; about: string; keys: string };

/**
 * `isNeeded`: whether there is something to try. `find`: the doubt as a fault of a field; null if there is none. Throws
 * ApiFailure for what is wrong in any case.
 */
export type ConfigTrial = {
  isNeeded: (values: Config) => boolean;
  find: (values: Config) => Promise<Problem | null>;
};

type Props = {
  method: AuthMethod;
  kind: AuthKindAnswer;
  words: Words;
  /** What the form shows as stored. */
  valuesOf?: (config: Config) => Config;
  /** The fields of the form; some may be only for people, and are not sent. Absent: those of the API. */
  fields?: FieldAnswer[];
  /** By the beginning of a refusal, the field that it is about. */
  refusals?: Record<string, string>;
  /** Tries what is typed before it is saved. What it says, the user may decide against. */
  trial?: ConfigTrial;
  standing: (config: Config) => ReactNode;
};

/** How an auth method verifies who logs in, and the dialog that changes it. */
export function MethodConfig(props: Props) {
  const { method, words, standing } = props;
  const [isOpen, setIsOpen] = useState(false);
  const query = useQuery(configQuery(method.path));
  return (
    <section className={`${kit.card} ${kit.stack}`}>
      <div className={`${kit.row} ${kit.spread}`}>
        <h2>{words.title}</h2>
        <GuardedButton
          call={{ method: 'POST', path: configPath(method) }}
          onClick={() => setIsOpen(true)}
          disabled={!query.data}
        >
          {query.data && isEmpty(query.data) ? words.setUp : words.change}
        </GuardedButton>
      </div>
      <Loaded query={query}>{(config) => (isEmpty(config) ? <p>{words.none}</p> : standing(config))}</Loaded>
      {isOpen && query.data ? <Change {...props} config={query.data} close={() => setIsOpen(false)} /> : null}
    </section>
  );
}

function Change({
  method,
  kind,
  words: { title, about, keys },
  valuesOf = (config) => config,
  fields = kind.config,
  refusals = {},
  trial,
  config,
  close,
}: Props & { config: Config; close: () => void }) {
  const queries = useQueryClient();
  // What was typed when the trial failed: saving the same again is meant.
  const [doubted, setDoubted] = useState('');
  const shown = (present: Config): Config => ({ ...valuesOf(present), [keys]: linesOf(present[keys]) });
  // The call replaces the whole configuration, except secrets, which stay unless they are sent.
  const callOf = (typed: Edits, values: Config): Call => {
    const edits = withoutNeedless(fields, { values, edits: typed });
    // What is taken away is left out; of a secret, that would mean that it stays.
    const sent = kind.config.filter(({ name, sensitive }) =>
      Object.hasOwn(edits, name)
        ? sensitive || edits[name] !== null || name === keys
        : !sensitive && Object.hasOwn(values, name),
    );
    const all = sent.map(({ name }): [string, unknown] => {
      const value = Object.hasOwn(edits, name) ? edits[name] : values[name];
      return [name, name === keys ? keysIn(value) : (value ?? '')];
    });
    return { method: 'POST', path: configPath(method), body: Object.fromEntries(all) };
  };
  return (
    <ChangeDialog
      title={`${title} of ${method.path}/`}
      action={(edits) => (doubted === textOf(edits) ? 'Save anyway' : 'Save')}
      needsToken
      fields={fields}
      values={shown(config)}
      reread={async () => ({
        values: shown(await queries.fetchQuery({ ...configQuery(method.path), staleTime: 0 })),
      })}
      close={close}
      callOf={callOf}
      carryOut={async (edits, token, values) => {
        if (doubted !== textOf(edits)) {
          const doubt = await doubtOf(trial, { ...values, ...edits });
          setDoubted(doubt ? textOf(edits) : '');
          if (doubt) throw new ApiFailure({ status: 400, problems: [doubt] });
        }
        await withToken(callOf(edits, values), token, carryOut).catch((error: unknown) => {
          throw atField(error, refusals);
        });
        await queries.invalidateQueries(configQuery(method.path));
      }}
    >
      <p className={kit.muted}>{about}</p>
    </ChangeDialog>
  );
}

function linesOf(keys: unknown): string {
  return ((keys ?? []) as string[]).join('\n');
}

function atField(failure: unknown, refusals: Record<string, string>): unknown {
  if (!(failure instanceof ApiFailure)) return failure;
  const { message } = failure;
  const found = Object.entries(refusals).find(([beginning]) => message.startsWith(beginning));
  return found
    ? failure.withProblems([{ field: found[1], detail: message.slice(found[0].length) }])
    : failure;
}

async function doubtOf(trial: ConfigTrial | undefined, values: Config): Promise<Problem | null> {
  return trial?.isNeeded(values) ? trial.find(values) : null;
}

function textOf(edits: Edits): string {
  return JSON.stringify(edits);
}

function isEmpty(config: Config): boolean {
  return Object.keys(config).length === 0;
}

// What is no key at all is sent as it is: the API says what is wrong with it.
function keysIn(value: unknown): string[] {
  const text = typeof value === 'string' ? value : '';
  return text.match(PEM) ?? (text.trim() === '' ? [] : [text]);
}

function configPath({ path }: AuthMethod): string {
  return `auth/${pathOf(path)}/config`;
}
