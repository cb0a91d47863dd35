import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { mountsQuery } from '../../../api/queries.ts';
import { Button } from '../../../kit/button.tsx';
import { FailureNotice } from '../../../kit/failure-notice.tsx';
import kit from '../../../kit/kit.module.css';
import { counted } from '../../../kit/text/counted.ts';
import { nameOfSecret, secretsOf, type SecretRef } from '../plan.ts';
import { Browse } from './browse.tsx';
import { Matches } from './matches.tsx';
import type { Picked } from './picked.ts';
import { VERBATIM } from '../../../kit/text/exact-text.ts';

type Props = {
  mount: string;
  /** The chosen secrets, one on each line, with their mount or in `mount`. */
  text: string;
  set: (mount: string, text: string) => void;
};

/** Chooses secrets of one mount: by folder, search or pattern, or typed. */
export function SecretsField({ mount, text, set }: Props) {
  const { data: mounts = [], error, refetch } = useQuery(mountsQuery);
  const [find, setFind] = useState('');
  const secrets = secretsOf(mount, text, mounts);
  const put = (next: SecretRef[]): void => set(mount, [...new Set(next.map(nameOfSecret))].join('\n'));
  const picked: Picked = {
    has: new Set(secrets.filter((one) => one.mount === mount).map(({ secret_name: path }) => path)),
    add: (more) => put([...secrets, ...more.map((path) => ({ mount, secret_name: path }))]),
    remove: (less) => put(secrets.filter((one) => one.mount !== mount || !less.includes(one.secret_name))),
  };
  return (
    <>
      {error ? <FailureNotice failure={error} retry={() => void refetch()} /> : null}
      <label className={kit.field}>
        <span className={kit.label}>Mount</span>
        <select className={kit.input} value={mount} onChange={(event) => set(event.target.value, text)}>
          {mounts.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <div data-passing className={`${kit.stack} ${kit.tight}`}>
        <label className={kit.field}>
          <span className={kit.label}>Find secrets</span>
          <input
            type="search"
            className={kit.input}
            placeholder="Part of a name, or a pattern such as team/*/db"
            value={find}
            onChange={(event) => setFind(event.target.value)}
          />
        </label>
        {find.trim() === '' ? (
          <Browse key={mount} mount={mount} picked={picked} />
        ) : (
          <Matches mount={mount} find={find.trim()} picked={picked} />
        )}
      </div>
      <Lines text={text} change={(next) => set(mount, next)} />
      <p className={`${kit.small} ${kit.muted}`}>
        These secrets alone are linked. One that is created later, in the same folder too, is not linked by
        itself.
      </p>
      <div className={kit.row}>
        <span className={kit.muted} role="status">
          {counted(secrets.length, 'secret')} chosen
        </span>
        {secrets.length > 0 ? (
          <Button kind="quiet" onClick={() => set(mount, '')}>
            Clear
          </Button>
        ) : null}
      </div>
    </>
  );
}

function Lines({ text, change }: { text: string; change: (text: string) => void }) {
  return (
    <label className={kit.field}>
      <span className={kit.label}>Secrets (one per line)</span>
      <textarea
        {...VERBATIM}
        className={kit.input}
        value={text}
        placeholder="secret/app/db"
        // The names of secrets have no line ends, so it does not matter which ones were pasted.
        onChange={(event) => change(event.target.value)}
        // A list that is pasted may be indented.
        onBlur={() => change(trimLines(text))}
      />
    </label>
  );
}

function trimLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .join('\n');
}
