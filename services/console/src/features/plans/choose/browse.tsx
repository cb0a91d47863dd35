import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { folderQuery } from '../../../api/folders.ts';
import { belowQuery, readMatches } from '../../../api/search.ts';
import { useAttempt } from '../../../kit/attempt.ts';
import { Button } from '../../../kit/button.tsx';
import { FailureNotice } from '../../../kit/failure-notice.tsx';
import { Refusal } from '../../../kit/refusing/refusal.tsx';
import kit from '../../../kit/kit.module.css';
import { Skeleton } from '../../../kit/page.tsx';
import { counted } from '../../../kit/text/counted.ts';
import { Choices } from './choices.tsx';
import type { Picked } from './picked.ts';
import styles from './choose.module.css';

const MOST_SHOWN = 200;
// Each is a request of its own.
const MOST_COUNTED = 20;

/** The folders of a mount, and their secrets to tick. */
export function Browse({ mount, picked }: { mount: string; picked: Picked }) {
  const [folder, setFolder] = useState('');
  const { data: keys, error } = useQuery({ ...folderQuery(mount, folder), enabled: mount !== '' });
  if (error) return <FailureNotice failure={error} />;
  const folders = (keys ?? []).filter((key) => key.endsWith('/'));
  const paths = (keys ?? []).filter((key) => !key.endsWith('/')).map((key) => `${folder}${key}`);
  return (
    <div className={`${kit.card} ${kit.stack} ${kit.tight}`}>
      <div className={`${kit.row} ${kit.spread}`}>
        <Crumbs mount={mount} folder={folder} go={setFolder} />
        {folder === '' ? null : <AddAll key={folder} mount={mount} path={folder} isCounted picked={picked} />}
      </div>
      {keys === undefined ? (
        <Skeleton rows={2} />
      ) : (
        <div className={styles.list} role="group" aria-label={`Secrets in ${mount}/${folder}`}>
          {keys.length === 0 ? <p className={kit.muted}>{`No secrets in ${mount}/${folder}`}</p> : null}
          {folders.slice(0, MOST_SHOWN).map((key, index) => (
            <Folder
              key={key}
              isCounted={index < MOST_COUNTED}
              mount={mount}
              path={`${folder}${key}`}
              open={() => setFolder(`${folder}${key}`)}
              picked={picked}
            />
          ))}
          <Choices key={folder} paths={paths.slice(0, MOST_SHOWN)} picked={picked} cut={folder.length} />
          {Math.max(folders.length, paths.length) > MOST_SHOWN ? (
            <p className={kit.muted}>There are more. Find them by name or pattern.</p>
          ) : null}
        </div>
      )}
    </div>
  );
}

function Crumbs({ mount, folder, go }: { mount: string; folder: string; go: (folder: string) => void }) {
  const segments = folder.split('/').filter(Boolean);
  return (
    <nav className={kit.row} aria-label="Folder">
      <Button kind="quiet" disabled={segments.length === 0} onClick={() => go('')}>
        {`${mount}/`}
      </Button>
      {segments.map((segment, index) => (
        <Button
          key={`${index} ${segment}`}
          kind="quiet"
          disabled={index === segments.length - 1}
          onClick={() => go(`${segments.slice(0, index + 1).join('/')}/`)}
        >
          {`${segment}/`}
        </Button>
      ))}
    </nav>
  );
}

type FolderProps = { mount: string; path: string; isCounted: boolean; picked: Picked };

function Folder({ open, ...folder }: FolderProps & { open: () => void }) {
  const { path } = folder;
  const name = path.split('/').filter(Boolean).at(-1) ?? path;
  return (
    <div className={kit.row}>
      <Button kind="quiet" aria-label={`Open ${path}`} onClick={open}>
        {`${name}/`}
      </Button>
      <AddAll {...folder} />
    </div>
  );
}

// Adds everything below a folder, and says how much that was.
function AddAll({ mount, path, isCounted, picked }: FolderProps) {
  const [added, setAdded] = useState('');
  const { data: below } = useQuery({ ...belowQuery(mount, path), enabled: isCounted });
  const { busy, failure, attempt } = useAttempt();
  const addAll = () =>
    attempt(async () => {
      // What stands for other text in a pattern may be a part of a name.
      const found = await readMatches(mount, `${path}*`);
      const paths = found.paths.filter((one) => one.startsWith(path));
      picked.add(paths);
      setAdded(`${counted(paths.length, 'secret')} added${found.isWhole ? '' : '; there are more'}.`);
    });
  return (
    <>
      <Button kind="quiet" aria-label={`Add all of ${path}`} busy={busy} onClick={() => void addAll()}>
        {below ? `Add all (${below.count.toLocaleString('en')}${below.isWhole ? '' : '+'})` : 'Add all'}
      </Button>
      <span role="status" className={`${kit.small} ${kit.muted}`}>
        {added}
      </span>
      <Refusal failure={failure} />
    </>
  );
}
