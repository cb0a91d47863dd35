import { useQuery } from '@tanstack/react-query';
import { matchesQuery, MOST_MATCHES } from '../../../api/search.ts';
import { Button } from '../../../kit/button.tsx';
import { FailureNotice } from '../../../kit/failure-notice.tsx';
import kit from '../../../kit/kit.module.css';
import { Skeleton } from '../../../kit/page.tsx';
import { usePaused } from '../../../kit/paused.ts';
import { counted } from '../../../kit/text/counted.ts';
import { Choices } from './choices.tsx';
import type { Picked } from './picked.ts';
import styles from './choose.module.css';

const MOST_SHOWN = 100;

/** The secrets whose path contains a text or matches a pattern: how many there are, and the first ones to tick. */
export function Matches({ mount, find, picked }: { mount: string; find: string; picked: Picked }) {
  const paused = usePaused(find);
  // Elsewhere on the page, names begin with the mount.
  const inMount = paused.startsWith(`${mount}/`) ? paused.slice(mount.length + 1) : paused;
  const { data, error, isFetching } = useQuery(matchesQuery(mount, inMount || '*'));
  if (error) return <FailureNotice failure={error} />;
  if (!data || isFetching || paused !== find) return <Skeleton rows={2} />;
  const { paths, isWhole } = data;
  const left = paths.filter((path) => !picked.has.has(path));
  return (
    <div className={`${kit.card} ${kit.stack} ${kit.tight}`}>
      <div className={`${kit.row} ${kit.spread}`}>
        <span role="status">
          {isWhole
            ? `${counted(paths.length, 'secret')} found in ${mount}/`
            : `More than ${MOST_MATCHES.toLocaleString('en')} secrets found in ${mount}/: the first ones are listed`}
        </span>
        {left.length > 0 ? (
          <Button onClick={() => picked.add(left)}>{`Add ${left.length.toLocaleString('en')}`}</Button>
        ) : null}
      </div>
      {paths.length === 0 && inMount.includes('*') && !inMount.startsWith('*') ? (
        <p className={kit.muted}>
          A pattern is compared with the whole path. To find it in every folder, begin with <code>*/</code>.
        </p>
      ) : null}
      <div className={styles.list} role="group" aria-label="Secrets found">
        <Choices key={inMount} paths={paths.slice(0, MOST_SHOWN)} picked={picked} />
        {paths.length > MOST_SHOWN ? (
          <p className={kit.muted}>{`… and ${(paths.length - MOST_SHOWN).toLocaleString('en')} more`}</p>
        ) : null}
      </div>
    </div>
  );
}
