import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { actorText } from '../../../../../libs/telling/actor.ts';
import { Button } from '../../kit/button.tsx';
import { ONCE } from '../../api/polling.ts';
import kit from '../../kit/kit.module.css';
import { Empty } from '../../kit/page.tsx';
import { spanFaults } from '../../kit/picker/span.ts';
import { EVERY_NAMESPACE, namespaceOfFilter, readEvents, type EventFilter } from './events.ts';
import { usePeople } from './filter-options.ts';

/** Says that no entry matches, and what may be the reason. */
export function NoEntry({ filter, clear }: { filter: EventFilter; clear: () => void }) {
  const { namespace: _, ...others } = filter;
  const isFiltered = Object.values(others).some(Boolean) || namespaceOfFilter(filter) !== undefined;
  const isUnknown = useIsUnknownSecret(filter.secret);
  if (!isFiltered) return <Empty title="No entries yet">Every change leaves an entry here.</Empty>;
  const action = <Button onClick={clear}>Clear the filter</Button>;
  const { title } = spanFaults(filter);
  if (title) return <Empty title={title} action={action} />;
  if (!isUnknown)
    return (
      <>
        <Empty title="No matching entries" action={action} />
        <Meant who={filter.who ?? filter.user ?? filter.actor ?? ''} isOnly={isOnlyWho(filter)} />
      </>
    );
  return (
    <Empty title="No entry is about this secret" action={action}>
      Nobody has used or changed <code>{filter.secret}</code> in any namespace, as far back as entries are
      kept. Check the name: it begins with the mount, such as secret/app/db.
    </Empty>
  );
}

// A wrong name must not look like a secret that nobody has read.
function useIsUnknownSecret(secret: string | undefined): boolean {
  const { data } = useQuery({
    queryKey: ['audit', 'any-of-secret', secret],
    queryFn: () => readEvents({ secret, namespace: EVERY_NAMESPACE, all: true }, ''),
    enabled: secret !== undefined,
    ...ONCE,
  });
  return data?.events.length === 0;
}

function isOnlyWho(filter: EventFilter): boolean {
  const others = { ...filter, who: undefined, user: undefined, actor: undefined, namespace: undefined };
  return !Object.values(others).some(Boolean);
}

const BEGINNING = 2;
const MOST_MEANT = 5;

// A wrong name must not look like somebody who has done nothing.
function Meant({ who, isOnly }: { who: string; isOnly: boolean }) {
  const name = actorText(who);
  const same = usePeople(name, name !== '');
  const alike = usePeople(name.slice(0, BEGINNING), name !== '' && same.length === 0);
  const meant = same.length > 0 ? same : alike;
  // A whole name that differs, such as a token's, is what was meant.
  const isWhole = same.length > 0 && !isOnly;
  if (meant.length === 0) return null;
  return (
    <div className={`${kit.card} ${kit.row}`} role="status">
      <span>{isWhole ? 'Without the other filters:' : 'Did you mean'}</span>
      {meant.slice(0, MOST_MEANT).map((one) => (
        <Link key={one} to="/audit" search={{ who: one, namespace: EVERY_NAMESPACE }}>
          {actorText(one)}
        </Link>
      ))}
      {isWhole ? '' : '?'}
    </div>
  );
}
