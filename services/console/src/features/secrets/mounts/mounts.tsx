import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Empty, Loaded, Page } from '../../../kit/page.tsx';
import { GuardedButton } from '../../../kit/rights/guarded-button.tsx';
import { Table } from '../../../kit/table.tsx';
import { describedMountsQuery } from '../queries.ts';
import { CreateMount } from './create-mount.tsx';

/** The mounts whose secrets can be synced. */
export function Mounts() {
  const [isOpen, setIsOpen] = useState(false);
  const create = (
    <GuardedButton
      call={{ method: 'POST', path: 'sys/mounts/+' }}
      kind="primary"
      onClick={() => setIsOpen(true)}
    >
      Create a mount
    </GuardedButton>
  );
  const query = useQuery(describedMountsQuery);
  return (
    <Page title="Secrets" about="KV v2 mounts" actions={query.data?.length === 0 ? null : create}>
      <Loaded query={query}>
        {(mounts) =>
          mounts.length === 0 ? (
            <Empty title="No mounts yet" action={create}>
              A mount holds secrets. Create one, or ask for access to one that you don’t see.
            </Empty>
          ) : (
            <Table columns={['Mount', 'Description']}>
              {mounts.map(([path, { description }]) => (
                <tr key={path}>
                  <td>
                    <Link to="/secrets/$" params={{ _splat: `${path}/` }}>
                      {path}/
                    </Link>
                  </td>
                  <td>{description}</td>
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
      {isOpen ? <CreateMount close={() => setIsOpen(false)} /> : null}
    </Page>
  );
}
