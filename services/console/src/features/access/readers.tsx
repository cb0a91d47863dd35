import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { actorText } from '../../../../../libs/telling/actor.ts';
import type { ReadersAnswer } from '../../../../api/contract/tokens.ts';
import { pathOf, read } from '../../api/client.ts';
import { readersRights } from '../../kit/rights/readers-link.tsx';
import { Button } from '../../kit/button.tsx';
import kit from '../../kit/kit.module.css';
import { Notice } from '../../kit/notice.tsx';
import { Empty, Loaded, Page } from '../../kit/page.tsx';
import { Table } from '../../kit/table.tsx';
import { csvOf } from '../../kit/text/csv.ts';
import { rightFor } from '../../api/right.ts';
import { mountsQuery, syncedToQuery, type SyncedToAnswer } from '../../api/queries.ts';
import { useDestinationName } from '../../api/vendors.ts';
import { useHasRights } from '../../kit/rights/allowed.ts';
import { splitPath, type SecretName } from '../secrets/split-path.ts';
import { SecretStores } from '../secrets/synced-to.tsx';
import { saveFile } from '../../kit/text/save-file.ts';
import { counted } from '../../kit/text/counted.ts';
import { Time } from '../../kit/time.tsx';
import { ROLE_KINDS } from './holders.tsx';

const route = getRouteApi('/readers/$');

const LINKS_OF_SECRET = rightFor('GET', 'sys/sync/associations/destinations');

/** Who may read the values of one secret today: tokens, and what gives the right to tokens that are made later. */
export function Readers() {
  const { _splat: secret = '' } = route.useParams();
  const { data: mounts } = useQuery(mountsQuery);
  const rights = readersRights(secret);
  const query = useQuery({
    queryKey: ['readers', secret],
    queryFn: () => read<ReadersAnswer>(`sys/readers/${pathOf(secret)}`, { rights }),
    enabled: useHasRights(rights),
  });
  const place = splitPath(mounts ?? [], secret);
  const mayList = useHasRights([LINKS_OF_SECRET]);
  const stores = useQuery({
    ...syncedToQuery(place?.mount ?? '', place?.path ?? ''),
    enabled: place !== undefined && mayList,
  });
  const nameOf = useDestinationName();
  const links = [...new Set((stores.data ?? []).map(({ type, name }) => nameOf(type, name)))];
  return (
    <Page
      title={`Who may read ${secret}`}
      rights={rights}
      about="According to current policies. For past reads, see Activity."
      actions={
        <>
          <Button
            disabled={!query.data || stores.isFetching}
            onClick={() => query.data && save(query.data, links)}
          >
            Export CSV
          </Button>
          <Link to="/activity/$" params={{ _splat: secret }} className={kit.button}>
            Activity
          </Link>
        </>
      }
    >
      <Loaded query={query}>
        {(answer) => (
          <>
            {answer.is_complete ? null : (
              <Notice tone="limited">There are more tokens, roles or policies than were looked at.</Notice>
            )}
            <Tokens answer={answer} />
            <Roles roles={answer.roles} />
            {place && mayList ? <Stores secret={place} query={stores} /> : null}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Tokens({ answer: { tokens, total_tokens: total } }: { answer: ReadersAnswer }) {
  if (tokens.length === 0) return <Empty title="No token may read it" />;
  return (
    <section className={`${kit.stack} ${kit.tight}`} aria-labelledby="tokens">
      <h2 id="tokens">{counted(total, 'token')}</h2>
      <Table columns={['Who', 'By policies', 'Until', 'Console sessions', 'Only from']}>
        {tokens.map((token) => (
          <tr key={token.accessor}>
            <td>
              {token.user ?? (actorText(token.name) || 'root')}
              <Place namespace={token.namespace} />
              <p className={`${kit.small} ${kit.muted} ${kit.mono}`}>{token.accessor}</p>
            </td>
            <td>
              <Policies names={token.policies} />
            </td>
            <td>{token.expire_time ? <Time at={token.expire_time} /> : 'Never expires'}</td>
            <td>{token.sessions}</td>
            <td>{token.bound_cidrs.join(', ') || 'anywhere'}</td>
          </tr>
        ))}
      </Table>
      {total > tokens.length ? <p className={kit.muted}>The newest {tokens.length} are shown.</p> : null}
    </section>
  );
}

function Roles({ roles }: { roles: ReadersAnswer['roles'] }) {
  return (
    <section className={`${kit.stack} ${kit.tight}`} aria-labelledby="roles">
      <h2 id="roles">Roles and teams</h2>
      {roles.length === 0 ? (
        <p className={kit.muted}>No role and no team gives this right to new tokens.</p>
      ) : (
        <Table columns={['What', 'Name', 'By policies']}>
          {roles.map(({ kind, mount, name, namespace, policies }) => (
            <tr key={`${namespace} ${kind} ${mount} ${name}`}>
              <td>
                {ROLE_KINDS[kind]}
                {mount === null ? null : <p className={`${kit.small} ${kit.muted}`}>auth/{mount}</p>}
              </td>
              <td>
                <RoleLink kind={kind} mount={mount} name={name} namespace={namespace} />
                <Place namespace={namespace} />
              </td>
              <td>
                <Policies names={policies} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

// Who may read a store may read its value there, whatever the policies here say.
function Stores({ secret, query }: { secret: SecretName; query: UseQueryResult<SyncedToAnswer[]> }) {
  return (
    <section className={`${kit.stack} ${kit.tight}`} aria-labelledby="stores">
      <h2 id="stores">Stores it is linked to</h2>
      <Loaded query={query}>
        {(stores) =>
          stores.length === 0 ? (
            <p className={kit.muted}>None.</p>
          ) : (
            <>
              <p className={kit.muted}>Who may read it there is decided in the store.</p>
              <SecretStores secret={secret} of={stores} />
            </>
          )
        }
      </Loaded>
    </section>
  );
}

function RoleLink({ kind, mount, name, namespace }: Omit<ReadersAnswer['roles'][number], 'policies'>) {
  const search = { ns: namespace || undefined };
  if (kind === 'team')
    return (
      <Link to="/access/teams" search={search}>
        {name}
      </Link>
    );
  if (mount === null) return name;
  return (
    <Link to="/access/auth/$" params={{ _splat: mount }} search={{ ...search, role: name }}>
      {name}
    </Link>
  );
}

function save({ path, tokens, roles }: ReadersAnswer, stores: string[]): void {
  const head = ['secret', 'kind', 'name', 'namespace', 'accessor', 'policies', 'expires-utc', 'only-from'];
  const rows = [
    ...tokens.map((one) => [
      'Token',
      one.user ?? (actorText(one.name) || 'root'),
      one.namespace,
      one.accessor,
      one.policies.join(' '),
      one.expire_time ? new Date(one.expire_time).toISOString() : 'never',
      one.bound_cidrs.join(' '),
    ]),
    ...roles.map((one) => [
      ROLE_KINDS[one.kind],
      one.name,
      one.namespace,
      '',
      one.policies.join(' '),
      '',
      '',
    ]),
    // Who may read it there is decided in the store.
    ...stores.map((name) => ['Linked store', name, '', '', '', '', '']),
  ];
  const day = new Date().toISOString().slice(0, 10);
  const file = `who-may-read_${path.replaceAll('/', '-')}_${day}.csv`;
  saveFile(new Blob([csvOf([head, ...rows.map((row) => [path, ...row])])], { type: 'text/csv' }), file);
}

function Place({ namespace }: { namespace: string }) {
  return namespace === '' ? null : <p className={`${kit.small} ${kit.muted}`}>Namespace {namespace}</p>;
}

// Rights can also follow from policies together, of which none gives them alone.
function Policies({ names }: { names: string[] }) {
  if (names.length === 0) return <>several together</>;
  return (
    <>
      {names.map((name, index) => (
        <span key={name}>
          {index > 0 ? ', ' : ''}
          <Link to="/access/policies/$name" params={{ name }}>
            {name}
          </Link>
        </span>
      ))}
    </>
  );
}
