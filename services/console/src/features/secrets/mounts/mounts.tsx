import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { MOUNTS } from '../../../api/right.ts';
import kit from '../../../kit/kit.module.css';
import { Empty, Loaded, Page, Skeleton } from '../../../kit/page.tsx';
import { useHasRights, useRights } from '../../../kit/rights/allowed.ts';
import { GuardedButton } from '../../../kit/rights/guarded-button.tsx';
import { Search } from '../../../kit/search.tsx';
import { Table } from '../../../kit/table.tsx';
import { counted } from '../../../kit/text/counted.ts';
import { describedMountsQuery, mountUsageQuery } from '../queries.ts';

// Loaded once it is opened: the page of a secret is large without it.
const CreateMount = lazy(async () => ({ default: (await import('./create-mount.tsx')).CreateMount }));

// As many fit on a screen.
const FEW = 10;
const MOST_COUNTED = 50;

// Letters count alike, small or not.
const includes =
  (part: string) =>
  ([path, { description }]: [string, { description: string }]): boolean =>
    `${path}/ ${description}`.toLowerCase().includes(part.trim().toLowerCase());

/** The mounts whose secrets can be synced. */
export function Mounts() {
  const [isOpen, setIsOpen] = useState(false);
  const [q, setQ] = useState('');
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
            <None create={create} />
          ) : (
            <>
              {mounts.length > FEW ? (
                <Search label="Filter by name or description" value={q} set={(text = '') => setQ(text)} />
              ) : null}
              <Table columns={['Mount', 'Secrets', 'Description']}>
                {mounts.filter(includes(q)).map(([path, { description }], index) => (
                  <tr key={path}>
                    <td>
                      <Link to="/secrets/$" params={{ _splat: `${path}/` }}>
                        {path}/
                      </Link>
                    </td>
                    <td>{index < MOST_COUNTED ? <Usage mount={path} /> : null}</td>
                    <td>{description}</td>
                  </tr>
                ))}
              </Table>
            </>
          )
        }
      </Loaded>
      <Suspense fallback={null}>{isOpen ? <CreateMount close={() => setIsOpen(false)} /> : null}</Suspense>
    </Page>
  );
}

// Mounts that one has no right to are left out, so only who may create them can tell that there are none.
function None({ create }: { create: ReactNode }) {
  const mayCreate = useRights([MOUNTS]);
  if (mayCreate === undefined) return <Skeleton />;
  if (mayCreate)
    return (
      <Empty title="No mounts yet" action={create}>
        A mount holds secrets. Create one, or ask for access to one that you don’t see.
      </Empty>
    );
  return (
    <Empty title="No mounts that you may see">
      A mount holds secrets. Ask for access to the one you need.
    </Empty>
  );
}

function Usage({ mount }: { mount: string }) {
  const mayCount = useHasRights([{ path: `sys/mount-usage/${mount}`, capability: 'read' }]);
  const { data } = useQuery({ ...mountUsageQuery(mount), enabled: mayCount, staleTime: 60_000 });
  if (!data) return <span className={kit.muted}>–</span>;
  return (
    <>
      {data.secrets.toLocaleString('en')}
      {data.is_complete ? '' : '+'}
      <p className={`${kit.small} ${kit.muted}`}>
        {data.links === 0 ? 'no links' : counted(data.links, 'link')}
      </p>
    </>
  );
}
