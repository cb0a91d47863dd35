import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { actorText } from '../../../../../libs/telling/actor.ts';
import type { ListedPolicyAnswer } from '../../../../api/contract/administration.ts';
import type { Call } from '../../api/curl.ts';
import { rightsOf } from '../../api/right.ts';
import { refusalAt } from '../../api/failure.ts';
import kit from '../../kit/kit.module.css';
import { Loaded } from '../../kit/page.tsx';
import { GuardedButton } from '../../kit/rights/guarded-button.tsx';
import { Search } from '../../kit/search.tsx';
import { Table } from '../../kit/table.tsx';
import { counted } from '../../kit/text/counted.ts';
import { Time } from '../../kit/time.tsx';
import { SchemaDialog } from '../../schema-form/schema-dialog.tsx';
import { AccessPage } from './access-page.tsx';
import { describedPoliciesQuery, POLICIES, policyQuery } from './queries.ts';

// Letters count alike, small or not.
const includes = (part: string) => (name: string) => name.toLowerCase().includes(part.trim().toLowerCase());

const CREATION: Call = { method: 'POST', path: 'sys/policies/acl/+' };
const POLICY_NAME = /^[\w.@-]{1,128}$/;

const NAME = [{ name: 'name', description: 'Letters, digits and _ . @ -', is_required: true }];

export function Policies() {
  const query = useQuery(describedPoliciesQuery);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isNaming, setIsNaming] = useState(false);
  const [q, setQ] = useState('');
  return (
    <AccessPage
      title="Policies"
      rights={[POLICIES]}
      parts={rightsOf(CREATION)}
      about="What tokens may do. Each token lists its policies."
      actions={
        <GuardedButton call={CREATION} kind="primary" onClick={() => setIsNaming(true)}>
          Create policy
        </GuardedButton>
      }
    >
      {query.isLoadingError ? null : (
        <Search label="Filter by name" value={q} set={(text = '') => setQ(text)} />
      )}
      <Loaded query={query}>
        {(policies) => (
          <Table columns={['Name', 'Held by', 'Changed']}>
            {policies
              .filter(([name]) => includes(q)(name))
              .map(([name, info]) => (
                <Row key={name} name={name} info={info} />
              ))}
          </Table>
        )}
      </Loaded>
      {isNaming ? (
        <SchemaDialog
          title="Create policy"
          action="Continue"
          fields={NAME}
          close={() => setIsNaming(false)}
          callOf={null}
          carryOut={async ({ name }) => {
            const text = typeof name === 'string' ? name.trim().toLowerCase() : '';
            if (!POLICY_NAME.test(text)) throw refusalAt('name', 'Use letters, digits and _ . @ - only.');
            if (await queries.fetchQuery({ ...policyQuery(text), staleTime: 0 }))
              throw refusalAt('name', `The name is taken: the policy ${text} already exists.`);
            await navigate({
              to: '/access/policies/$name',
              params: { name: text },
              ignoreBlocker: true,
            });
          }}
        />
      ) : null}
    </AccessPage>
  );
}

function Row({ name, info }: { name: string; info: ListedPolicyAnswer | undefined }) {
  return (
    <tr>
      <td>
        <Link to="/access/policies/$name" params={{ name }}>
          {name}
        </Link>
      </td>
      <td>{holdersOf(info)}</td>
      <td>
        {info?.changed_at ? (
          <>
            <Time at={info.changed_at} />
            {info.changed_by ? (
              <p className={`${kit.small} ${kit.muted}`}>by {actorText(info.changed_by)}</p>
            ) : null}
          </>
        ) : (
          <span className={kit.muted}>{info ? 'built in' : '–'}</span>
        )}
      </td>
    </tr>
  );
}

function holdersOf(info: ListedPolicyAnswer | undefined): string {
  if (info?.tokens === undefined || info.tokens === null || info.roles === null) return '–';
  if (info.tokens + info.roles === 0) return 'nobody';
  return [
    info.tokens > 0 ? counted(info.tokens, 'token') : '',
    info.roles > 0 ? counted(info.roles, 'role or team', 'roles or teams') : '',
  ]
    .filter(Boolean)
    .join(', ');
}
