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
  const removals = removalsOf(attempts);
  const [deleted] = removals.filter(({ action }) => action === 'delete');
  const isLeft = removals.some(({ action, cause }) => action === 'none' && cause?.code === 'conflict');
  const names = namesOf(removals, 'delete');
  const [last] = attempts;
  if (deleted)
    return (
      <>
        <p>
          {names.size === 1 ? 'Its entry was' : `${names.size} entries were`} deleted in the store{' '}
          <Time at={deleted.at} />.
        </p>
        {isLeft ? <Left /> : null}
      </>
    );
  if (isLeft) return <Left />;
  if (namesOf(removals, 'gone').size > 0) return <p>The store had no entry of it any more.</p>;
  return last && WRITES.has(last.action) && last.outcome === 'SYNCED' ? (
    <p>What Sealift wrote was kept in the store.</p>
  ) : null;
}

function Left() {
  return <p>What isn’t Sealift’s under its names was left in the store.</p>;
}

const WRITES = new Set(['create', 'update', 'replace', 'overwrite', 'adopt', 'tag', 'unchanged']);
const REMOVALS = new Set(['delete', 'gone', 'none']);

// What became of its entries at the end. A change of the secret also deletes entries of keys that it no longer has.
function removalsOf(attempts: LinkAttempt[]): LinkAttempt[] {
  const other = attempts.findIndex(({ action, trigger }) => !REMOVALS.has(action) || trigger === 'write');
  const last = other === -1 ? attempts : attempts.slice(0, other);
  return last.filter(({ outcome }) => TAKEN_OUTCOMES.includes(outcome));
}

function namesOf(removals: LinkAttempt[], action: string): Set<string | null> {
  return new Set(
    removals.filter((removal) => removal.action === action).map(({ external_name: name }) => name),
  );
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
