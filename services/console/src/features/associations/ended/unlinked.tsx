import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { TAKEN_OUTCOMES } from '../../../../../../libs/telling/attempts.ts';
import { actorText } from '../../../../../../libs/telling/actor.ts';
import type { StoryAnswer, StoryLineAnswer } from '../../../../../api/contract/story.ts';
import { pathOf } from '../../../api/client.ts';
import { destinationPath } from '../../../api/queries.ts';
import { readAllowed } from '../../../api/rights.ts';
import kit from '../../../kit/kit.module.css';
import { Time } from '../../../kit/time.tsx';
import { useAttempts, type LinkAttempt } from '../attempts.ts';
import { History } from '../history.tsx';
import type { SecretName } from '../../secrets/split-path.ts';

type Linked = { type: string; name: string; secret: SecretName };

/** Stands for a link that does not exist: who ended it, and where to go from here. */
export function Unlinked({ type, name, secret }: Linked) {
  const end = useEnd({ type, name, secret });
  return (
    <>
      <section className={`${kit.card} ${kit.stack} ${kit.tight}`} aria-labelledby="unlinked">
        <h2 id="unlinked">
          This secret is not linked to {name}
          {end ? ' any more' : ''}
        </h2>
        {end ? (
          <p>
            {end.by ? `${actorText(end.by)} unlinked it` : 'It was unlinked'} <Time at={end.at} />.
          </p>
        ) : null}
        <Fate {...{ type, name, secret }} />
        <p className={kit.muted}>To link it again, open the secret and sync it to the destination.</p>
        <div className={kit.row}>
          <Link to="/destinations/$type/$name" params={{ type, name }} search={{}} className={kit.button}>
            Open destination
          </Link>
        </div>
      </section>
      <History {...{ type, name, secret }} said={undefined} />
    </>
  );
}

// What became of its entries in the store.
function Fate(linked: Linked) {
  const { data, isFetchedAfterMount: isFresh } = useAttempts(linked);
  // What was read before the link ended may lack the deletion.
  if (!data || !isFresh) return null;
  const attempts = data.pages.flat();
  const deleted = deletedLast(attempts);
  const [newest] = deleted;
  if (newest) {
    const names = new Set(deleted.map(({ external_name: entry }) => entry));
    return (
      <p>
        {names.size === 1 ? 'Its entry was' : `${names.size} entries were`} deleted in the store{' '}
        <Time at={newest.at} />.
      </p>
    );
  }
  const [last] = attempts;
  return last && WRITES.has(last.action) && last.outcome === 'SYNCED' ? (
    <p>What Sealift wrote was kept in the store.</p>
  ) : null;
}

const WRITES = new Set(['create', 'update', 'replace', 'overwrite', 'adopt', 'tag', 'unchanged']);

// A change of the secret also deletes entries of keys that it no longer has.
function deletedLast(attempts: LinkAttempt[]): LinkAttempt[] {
  const other = attempts.findIndex(({ action, trigger }) => action !== 'delete' || trigger === 'write');
  const last = other === -1 ? attempts : attempts.slice(0, other);
  return last.filter(({ outcome }) => TAKEN_OUTCOMES.includes(outcome));
}

type Event = Extract<StoryLineAnswer, { kind: 'change' | 'link' | 'unlink' | 'read' | 'reveal' }>;

// Nobody, if it ended in another way, or if the caller may not read what became of the secret.
function useEnd({ type, name, secret }: Linked): Event | undefined {
  const { data } = useQuery({
    queryKey: ['end-of-link', type, name, secret.mount, secret.path],
    queryFn: () =>
      readAllowed<StoryAnswer>(
        `sys/story/${pathOf(secret.mount, secret.path)}?kind=change&outcome=succeeded`,
      ),
    retry: false,
  });
  const ofLink = `${destinationPath(type, name)}/associations/`;
  const last = data?.story.filter(isEvent).find(({ path }) => path.includes(ofLink));
  return last?.kind === 'unlink' ? last : undefined;
}

function isEvent(line: StoryLineAnswer): line is Event {
  return line.kind === 'link' || line.kind === 'unlink';
}
