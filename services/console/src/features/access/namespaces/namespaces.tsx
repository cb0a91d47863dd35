import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { currentNamespace, pathOf } from '../../../api/client.ts';
import type { NamespaceAnswer } from '../../../../../api/contract/mounts.ts';
import type { Call } from '../../../api/curl.ts';
import { rightsOf } from '../../../api/right.ts';
import { describedNamespacesQuery, namespacesRight } from '../../../api/queries.ts';
import { FailureNotice } from '../../../kit/failure-notice.tsx';
import kit from '../../../kit/kit.module.css';
import { Empty, Loaded, Skeleton } from '../../../kit/page.tsx';
import { GuardedButton } from '../../../kit/rights/guarded-button.tsx';
import { counted } from '../../../kit/text/counted.ts';
import { Time } from '../../../kit/time.tsx';
import { AccessPage } from '../access-page.tsx';
import { CreateNamespace } from './change-namespace.tsx';
import { DeleteNamespace } from './delete-namespace.tsx';
import styles from './namespaces.module.css';

const CREATION: Call = { method: 'POST', path: 'sys/namespaces/+' };

/** The namespaces below the page's own, as a tree. */
export function Namespaces() {
  const query = useQuery(describedNamespacesQuery(''));
  const [isMaking, setIsMaking] = useState(false);
  const create = (
    <GuardedButton call={CREATION} kind="primary" onClick={() => setIsMaking(true)}>
      Create a namespace
    </GuardedButton>
  );
  return (
    <AccessPage
      title="Namespaces"
      rights={[namespacesRight('')]}
      parts={rightsOf(CREATION)}
      about={
        <>
          Each has its own secrets, policies, tokens and destinations.
          <Parent />
        </>
      }
      actions={create}
    >
      <Loaded query={query}>
        {(found) =>
          found.length === 0 ? (
            <Empty title="No child namespaces" action={create}>
              Rights in one namespace grant no access to another.
            </Empty>
          ) : (
            <ul className={kit.card}>
              {found.map(({ name, contents }) => (
                <Branch key={name} parent="" name={name} contents={contents} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {isMaking ? <CreateNamespace parent="" close={() => setIsMaking(false)} /> : null}
    </AccessPage>
  );
}

function Parent() {
  const here = currentNamespace();
  if (here === '') return null;
  const parent = here.slice(0, Math.max(0, here.lastIndexOf('/')));
  return (
    <p>
      Parent:{' '}
      <Link to="/access/namespaces" search={{ ns: parent }}>
        {parent || 'root'}
      </Link>
    </p>
  );
}

// A namespace. The namespaces below it are read when the user opens it.
function Branch({
  parent,
  name,
  contents,
}: {
  parent: string;
  name: string;
  contents: NamespaceAnswer['contents'];
}) {
  const [isOpen, setIsOpen] = useState(false);
  const [dialog, setDialog] = useState<'create' | 'delete' | null>(null);
  const path = `${parent}${name}`;
  const close = () => setDialog(null);
  return (
    <li>
      <div className={styles.row}>
        <div className={styles.head}>
          <Link
            to="/"
            search={{ ns: [currentNamespace(), path.replace(/\/$/, '')].filter(Boolean).join('/') }}
            aria-label={`Open ${path}`}
          >
            <code>{name}</code>
          </Link>
          {contents ? <Contents contents={contents} /> : null}
        </div>
        <div className={styles.actions}>
          <GuardedButton
            call={{ method: 'POST', path: `sys/namespaces/${pathOf(path)}+` }}
            aria-label={`Create child of ${path}`}
            onClick={() => setDialog('create')}
          >
            Create child…
          </GuardedButton>
          <GuardedButton
            call={{ method: 'DELETE', path: `sys/namespaces/${pathOf(path.replace(/\/$/, ''))}` }}
            kind="danger"
            aria-label={`Delete ${path}`}
            onClick={() => setDialog('delete')}
          >
            Delete…
          </GuardedButton>
        </div>
      </div>
      <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary className={styles.name} aria-label={`Child namespaces of ${path}`}>
          Child namespaces
        </summary>
        {isOpen ? <Below path={path} /> : null}
      </details>
      {dialog === 'create' ? <CreateNamespace parent={path} close={close} /> : null}
      {dialog === 'delete' ? <DeleteNamespace parent={parent} name={name} close={close} /> : null}
    </li>
  );
}

function Contents({ contents }: { contents: NonNullable<NamespaceAnswer['contents']> }) {
  const { mounts, secrets, destinations, tokens, last_changed: changed } = contents;
  return (
    <span className={kit.muted}>
      {counted(mounts, 'mount')} · {counted(secrets, 'secret')} · {counted(destinations, 'destination')} ·{' '}
      {counted(tokens, 'token')}
      {changed === null ? null : (
        <>
          {' '}
          · changed <Time at={changed} />
        </>
      )}
    </span>
  );
}

function Below({ path }: { path: string }) {
  const { data, error, refetch } = useQuery(describedNamespacesQuery(path.replace(/\/$/, '')));
  if (error) return <FailureNotice failure={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton rows={1} />;
  if (data.length === 0) return <p className={`${styles.below} ${kit.muted}`}>No child namespaces.</p>;
  return (
    <ul className={styles.below}>
      {data.map(({ name, contents }) => (
        <Branch key={name} parent={path} name={name} contents={contents} />
      ))}
    </ul>
  );
}
