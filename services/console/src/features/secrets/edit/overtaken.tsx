import { useQuery } from '@tanstack/react-query';
import { actorText } from '../../../../../../libs/telling/actor.ts';
import { diffQuery } from '../../../api/queries.ts';
import { Button } from '../../../kit/button.tsx';
import { FailureNotice } from '../../../kit/failure-notice.tsx';
import kit from '../../../kit/kit.module.css';
import { useSeen } from '../../../kit/refusing/seen.ts';
import { Table } from '../../../kit/table.tsx';
import type { SecretName } from '../split-path.ts';
import type { Change, Key } from './change.ts';

/** Shown if someone else has saved a version meanwhile: what each of both changes, key by key and without values. */
export function OvertakenSecret({
  secret,
  base,
  newest,
  by = 'Someone',
  change,
  busy,
  goOn,
}: {
  secret: SecretName;
  /** The version on which the edits are based, and its keys. */
  base: { version: number; keys: Key[] };
  newest: number;
  /** Who saved it. */
  by: string | undefined;
  /** What the user has typed; undefined: it has a fault that must be mended first. */
  change: Change | undefined;
  busy: boolean;
  /** Keeps what was typed, based on the newest version. */
  goOn: () => void;
}) {
  const { data, error } = useQuery(diffQuery(secret.mount, secret.path, base.version, newest));
  const place = useSeen<HTMLElement>(`${newest} ${data ? 'compared' : ''}`);
  return (
    <section ref={place} tabIndex={-1} className={`${kit.notice} ${kit.limited} ${kit.seen}`} role="alert">
      <div className={`${kit.stack} ${kit.tight} ${kit.grow}`}>
        <p>
          {actorText(by)} saved v{newest} while you were editing v{base.version}. Your changes haven’t been
          saved yet.
        </p>
        {error ? <FailureNotice failure={error} /> : null}
        {data ? <Both theirs={data.keys} base={base.keys} change={change} /> : null}
        {change ? null : <p>Correct what you typed first.</p>}
        <div>
          <Button kind="primary" busy={busy} disabled={!change} onClick={goOn}>
            Reload and keep what I typed
          </Button>
        </div>
      </div>
    </section>
  );
}

// What each of both changes, by key.
function Both({
  theirs: compared,
  base,
  change,
}: {
  theirs: Record<string, keyof typeof THEIRS>;
  base: Key[];
  change: Change | undefined;
}) {
  const theirs = new Map(Object.entries(compared).filter(([, difference]) => difference !== 'same'));
  const names = new Set(base.map(({ name }) => name));
  const yours = new Map<string, string>([
    ...[...(change?.set.keys() ?? [])].map((name): [string, string] => [
      name,
      names.has(name) ? 'changed' : 'added',
    ]),
    ...(change?.remove ?? []).map((name): [string, string] => [name, 'deleted']),
  ]);
  return (
    <Table columns={['Key', 'Theirs', 'Yours']}>
      {[...new Set([...theirs.keys(), ...yours.keys()])].toSorted().map((name) => (
        <tr key={name}>
          <td>
            <code>{name}</code>
          </td>
          <td>{THEIRS[theirs.get(name) ?? 'same']}</td>
          <td>{yours.get(name) ?? 'not changed'}</td>
        </tr>
      ))}
    </Table>
  );
}

const THEIRS = { added: 'added', removed: 'deleted', changed: 'changed', same: 'not changed' };
