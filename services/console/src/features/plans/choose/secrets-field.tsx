import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { mountsQuery } from '../../../api/queries.ts';
import { Button } from '../../../kit/button.tsx';
import { FailureNotice } from '../../../kit/failure-notice.tsx';
import kit from '../../../kit/kit.module.css';
import { counted } from '../../../kit/text/counted.ts';
import { secretsOf } from '../plan.ts';
import { Browse } from './browse.tsx';
import { Matches } from './matches.tsx';
import type { Picked } from './picked.ts';

type Props = {
  mount: string;
  /** The chosen secrets, one on each line. */
  text: string;
  set: (mount: string, text: string) => void;
};

/** Chooses secrets of one mount: by folder, search or pattern, or typed. */
export function SecretsField({ mount, text, set }: Props) {
  const { data: mounts = [], error, refetch } = useQuery(mountsQuery);
  const [find, setFind] = useState('');
  const paths = secretsOf(mount, text).map(({ secret_name: path }) => path);
  const picked: Picked = {
    has: new Set(paths),
    add: (more) => set(mount, [...new Set([...paths, ...more])].join('\n')),
    remove: (less) => set(mount, paths.filter((path) => !less.includes(path)).join('\n')),
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
          {counted(paths.length, 'secret')} chosen
        </span>
        {paths.length > 0 ? (
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
        className={kit.input}
        value={text}
        placeholder="app/db"
        autoComplete="off"
        spellCheck={false}
        // The names of secrets have no line ends, so it does not matter which ones were pasted.
        onChange={(event) => change(event.target.value)}
      />
    </label>
  );
}
