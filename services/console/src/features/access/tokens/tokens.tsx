import {
  useInfiniteQuery,
  useIsFetching,
  useQueryClient,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { actorText } from '../../../../../../libs/telling/actor.ts';
import type { ListedTokenAnswer } from '../../../../../api/contract/tokens.ts';
import { carryOut } from '../../../api/client.ts';
import type { Call } from '../../../api/curl.ts';
import { AUDIT, rightsOf } from '../../../api/right.ts';
import { Guarded } from '../../../kit/rights/guarded.tsx';
import { GuardedButton } from '../../../kit/rights/guarded-button.tsx';
import { FormDialog } from '../../../kit/form-dialog.tsx';
import { LoadMore } from '../../../kit/pages.tsx';
import kit from '../../../kit/kit.module.css';
import { Empty, Loaded } from '../../../kit/page.tsx';
import { SearchField } from '../../../kit/search.tsx';
import { ACTIONS, Table } from '../../../kit/table.tsx';
import { counted } from '../../../kit/text/counted.ts';
import { Time } from '../../../kit/time.tsx';
import { useSession } from '../../../session/session.ts';
import { AccessPage } from '../access-page.tsx';
import { CreateToken, NewToken, type MadeToken } from './create-token.tsx';
import { named } from '../named.ts';
import { PolicyNames } from '../policy-names.tsx';
import { TOKENS_RIGHTS, tokensQuery, type TokenOrder } from '../queries.ts';

const CREATION: Call = { method: 'POST', path: 'auth/token/create' };

/** Every token, by its accessor: nobody knows the secrets themselves. */
export function Tokens() {
  const [order, setOrder] = useState<TokenOrder>('newest');
  const query = useInfiniteQuery(tokensQuery(order));
  const [q, setQ] = useState('');
  useAllPages(query, q !== '');
  const [isMaking, setIsMaking] = useState(false);
  const [made, setMade] = useState<MadeToken | null>(null);
  const create = (
    <GuardedButton call={CREATION} kind="primary" onClick={() => setIsMaking(true)}>
      Create a token
    </GuardedButton>
  );
  return (
    <AccessPage
      title="Tokens"
      rights={TOKENS_RIGHTS}
      parts={rightsOf(CREATION)}
      about="The tokens of this namespace."
      actions={create}
    >
      {query.isLoadingError ? null : (
        <div className={kit.row} role="search">
          <SearchField label="Filter by name or policy" value={q} set={(text = '') => setQ(text)} />
          <div>
            <select
              className={kit.input}
              aria-label="Order"
              value={order}
              onChange={(event) => setOrder(event.target.value === 'expiry' ? 'expiry' : 'newest')}
            >
              <option value="newest">Newest first</option>
              <option value="expiry">Longest valid first</option>
            </select>
          </div>
        </div>
      )}
      <Loaded query={query}>
        {({ pages }) => {
          const tokens = pages.flatMap((page) => page.tokens);
          if (tokens.length === 0) return <Empty title="No tokens in this namespace" action={create} />;
          return (
            <Table columns={['Name', 'Policies', 'Expires', 'Last used', ACTIONS]}>
              {tokens.filter(named(q)).map((token) => (
                <Row key={token.accessor} token={token} />
              ))}
            </Table>
          );
        }}
      </Loaded>
      <LoadMore query={query} />
      {isMaking ? <CreateToken show={setMade} close={() => setIsMaking(false)} /> : null}
      {made ? <NewToken made={made} close={() => setMade(null)} /> : null}
    </AccessPage>
  );
}

// A filter is about all tokens, and not about those of the first page.
function useAllPages(
  {
    hasNextPage,
    isFetching,
    fetchNextPage,
  }: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetching' | 'fetchNextPage'>,
  isWanted: boolean,
): void {
  useEffect(() => {
    if (isWanted && hasNextPage && !isFetching) void fetchNextPage();
  }, [isWanted, hasNextPage, isFetching, fetchNextPage]);
}

function Row({ token }: { token: ListedTokenAnswer }) {
  const { accessor, policies, expire_time: end, last_used_time: used } = token;
  const name = actorText(token.display_name) || 'root';
  const session = useSession();
  const [isEnding, setIsEnding] = useState(false);
  const isOwn = session.kind === 'present' && session.session.accessor === accessor;
  return (
    <tr>
      <td>
        {name} {isOwn ? <span className={kit.chip}>yours</span> : null}
        <p className={`${kit.small} ${kit.muted} ${kit.mono}`}>{accessor}</p>
        {token.created_by === undefined ? null : (
          <p className={`${kit.small} ${kit.muted}`}>Created by {actorText(token.created_by) || 'root'}</p>
        )}
      </td>
      <td>
        <PolicyNames names={policies} missing={token.missing_policies ?? []} />
      </td>
      <td>{end ? <Time at={end} /> : <span className={kit.muted}>never</span>}</td>
      <td>{used ? <Time at={used} /> : <span className={kit.muted}>never</span>}</td>
      <td>
        <div className={kit.row}>
          <Guarded right={AUDIT} label="Activity">
            <Link
              to="/audit"
              search={{ token: accessor }}
              className={kit.button}
              aria-label={`Activity of ${name} ${accessor}`}
            >
              Activity
            </Link>
          </Guarded>
          <GuardedButton
            call={endOf(token)}
            kind="danger"
            aria-label={`Revoke ${name} ${accessor}`}
            onClick={() => setIsEnding(true)}
          >
            Revoke…
          </GuardedButton>
        </div>
        {isEnding ? <EndToken token={token} isOwn={isOwn} close={() => setIsEnding(false)} /> : null}
      </td>
    </tr>
  );
}

// Whoever writes such a policy later gives its rights to the token.
function endOf({ accessor }: ListedTokenAnswer): Call {
  return { method: 'POST', path: 'auth/token/revoke-accessor', body: { accessor } };
}

function consequences({ tokens_below: below, sessions }: ListedTokenAnswer): string {
  const ending = [
    below > 0 ? `${counted(below, 'token')} created with it` : '',
    sessions > 0 ? counted(sessions, 'console session') : '',
  ].filter(Boolean);
  return ending.length === 0 ? 'Nothing else ends with it.' : `This also ends ${ending.join(' and ')}.`;
}

function EndToken({ token, isOwn, close }: { token: ListedTokenAnswer; isOwn: boolean; close: () => void }) {
  const queries = useQueryClient();
  const isCounting = useIsFetching({ queryKey: ['tokens'] }) > 0;
  // Somebody may have signed in with it since the list was read.
  useEffect(() => void queries.invalidateQueries({ queryKey: ['tokens'] }), [queries]);
  return (
    <FormDialog
      title={`Revoke ${actorText(token.display_name) || 'root'}`}
      action="Revoke"
      isDangerous
      close={close}
      call={endOf(token)}
      carryOut={async () => {
        await carryOut(endOf(token));
        await queries.invalidateQueries({ queryKey: ['tokens'] });
      }}
    >
      <p>The token is revoked immediately. {isCounting ? '' : consequences(token)}</p>
      {isOwn ? <p>This is the token of your own session. You will be signed out.</p> : null}
    </FormDialog>
  );
}
