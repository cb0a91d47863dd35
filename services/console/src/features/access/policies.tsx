import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Loaded } from '../../kit/page.tsx';
import { GuardedButton } from '../../kit/rights/guarded-button.tsx';
import { Search } from '../../kit/search.tsx';
import { Table } from '../../kit/table.tsx';
import { SchemaDialog } from '../../schema-form/schema-dialog.tsx';
import { AccessPage } from './access-page.tsx';
import { policiesQuery } from './queries.ts';

// Letters count alike, small or not.
const includes = (part: string) => (name: string) => name.toLowerCase().includes(part.trim().toLowerCase());

const NAME = [{ name: 'name', description: 'Letters, digits and _ . @ -' }];

export function Policies() {
  const query = useQuery(policiesQuery);
  const navigate = useNavigate();
  const [isNaming, setIsNaming] = useState(false);
  const [q, setQ] = useState('');
  return (
    <AccessPage
      title="Policies"
      about="What tokens may do. Each token lists its policies."
      actions={
        <GuardedButton
          call={{ method: 'POST', path: 'sys/policies/acl/+' }}
          kind="primary"
          onClick={() => setIsNaming(true)}
        >
          Create policy
        </GuardedButton>
      }
    >
      <Search label="Filter by name" value={q} set={(text = '') => setQ(text)} />
      <Loaded query={query}>
        {(names) => (
          <Table columns={['Name']}>
            {names.filter(includes(q)).map((name) => (
              <tr key={name}>
                <td>
                  <Link to="/access/policies/$name" params={{ name }}>
                    {name}
                  </Link>
                </td>
              </tr>
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
            if (typeof name !== 'string') throw new Error('Enter a name.');
            await navigate({
              to: '/access/policies/$name',
              params: { name: name.trim() },
              ignoreBlocker: true,
            });
          }}
        />
      ) : null}
    </AccessPage>
  );
}
