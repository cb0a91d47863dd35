import { useQuery } from '@tanstack/react-query';
import { mountsQuery } from '../../api/queries.ts';
import { FailureNotice } from '../../kit/failure-notice.tsx';
import kit from '../../kit/kit.module.css';

/** Secrets of one mount, one on each line. */
export function SecretsField({
  mount,
  text,
  set,
}: {
  mount: string;
  text: string;
  set: (mount: string, text: string) => void;
}) {
  const { data: mounts = [], error, refetch } = useQuery(mountsQuery);
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
      <label className={kit.field}>
        <span className={kit.label}>Secrets (one per line)</span>
        <textarea
          className={kit.input}
          value={text}
          placeholder="app/db"
          autoComplete="off"
          spellCheck={false}
          // The names of secrets have no line ends, so it does not matter which ones were pasted.
          onChange={(event) => set(mount, event.target.value)}
        />
      </label>
    </>
  );
}
