import type { ChangeEvent } from 'react';
import { Link } from '@tanstack/react-router';
import { Folder as FolderIcon } from 'lucide-react';
import { actorText } from '../../../../../libs/telling/actor.ts';
import type { ListedSecretAnswer } from '../../../../api/contract/secrets.ts';
import kit from '../../kit/kit.module.css';
import { Status, statusInPause, STATUSES } from '../../kit/status.tsx';
import { Table } from '../../kit/table.tsx';
import { Time } from '../../kit/time.tsx';
import { keepText, useRange } from '../plans/range.ts';
import type { Selection } from '../plans/selection.ts';
import styles from './secret-table.module.css';

/** A secret or a folder. `info`: what the caller may know of it. */
export type Row = { name: string; path: string; info: ListedSecretAnswer | undefined };

const STATES: Record<ListedSecretAnswer['state'], string> = {
  live: '',
  deleted: 'deleted',
  destroyed: 'destroyed',
  empty: 'no version',
};

/** Secrets and folders, with the state of their links and their last change. Secrets can be ticked. */
export function SecretTable({
  mount,
  rows,
  selection,
}: {
  mount: string;
  rows: Row[];
  selection: Selection;
}) {
  const refOf = (path: string) => ({ mount, secret_name: path.slice(mount.length + 1) });
  const rangeOf = useRange();
  const tick = (index: number, event: ChangeEvent<HTMLInputElement>): void => {
    const ticked = rangeOf(index, event).flatMap((place) => rows[place] ?? []);
    const secrets = ticked.filter(({ name }) => !name.endsWith('/'));
    selection.setAll(
      secrets.map(({ path }) => refOf(path)),
      event.target.checked,
    );
  };
  return (
    <Table columns={['Name', 'Sync', 'Version', 'Last change']}>
      {rows.map(({ name, path, info }, index) => (
        <tr key={path}>
          <td>
            <span className={kit.row}>
              {name.endsWith('/') ? (
                <FolderIcon size={16} aria-hidden />
              ) : (
                <label className={styles.tick} onMouseDown={keepText}>
                  <input
                    type="checkbox"
                    aria-label={`Select ${path}`}
                    checked={selection.has(refOf(path))}
                    onChange={(event) => tick(index, event)}
                  />
                </label>
              )}
              <Link to="/secrets/$" params={{ _splat: path }} className={kit.grow}>
                {name}
              </Link>
            </span>
          </td>
          <td>{info ? <Links info={info} /> : null}</td>
          <td>
            {info
              ? [info.current_version > 0 ? `v${info.current_version}` : '', STATES[info.state]]
                  .filter(Boolean)
                  .join(' · ')
              : null}
          </td>
          <td>{info ? <LastChange info={info} /> : null}</td>
        </tr>
      ))}
    </Table>
  );
}

function LastChange({ info: { updated_time: time, updated_by: by } }: { info: ListedSecretAnswer }) {
  return (
    <>
      <Time at={time} />
      {by ? <p className={`${kit.small} ${kit.muted}`}>by {actorText(by)}</p> : null}
    </>
  );
}

// The worst status counts; the number is that of the links that have it.
function Links({ info }: { info: ListedSecretAnswer }) {
  const { links: counts, paused_links: paused } = info;
  if (counts === null) return <span className={kit.muted}>–</span>;
  const worst = STATUSES.find((status) => (counts[status] ?? 0) > 0);
  if (!worst) return <span className={kit.muted}>Not linked</span>;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const count = counts[worst] ?? 0;
  const shown = statusInPause(worst, paused === count);
  return (
    <>
      {total === 1 ? <Status status={shown} /> : <Status status={shown} count={count} />}
      {worst === 'SYNCED' && info.state !== 'live' ? (
        <span className={`${kit.small} ${kit.muted}`}> without v{info.current_version}</span>
      ) : null}
    </>
  );
}
