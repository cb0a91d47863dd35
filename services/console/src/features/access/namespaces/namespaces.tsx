import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { currentNamespace, pathOf } from '../../../api/client.ts';
import type { Call } from '../../../api/curl.ts';
import { namespacesQuery } from '../../../api/queries.ts';
import { FailureNotice } from '../../../kit/failure-notice.tsx';
import kit from '../../../kit/kit.module.css';
import { Empty, Loaded, Skeleton } from '../../../kit/page.tsx';
import { GuardedButton } from '../../../kit/rights/guarded-button.tsx';
import { AccessPage } from '../access-page.tsx';
import { CreateNamespace, DeleteNamespace } from './change-namespace.tsx';
import styles from './namespaces.module.css';

const CREATION: Call = { method: 'POST', path: 'sys/namespaces/+' };

/** The namespaces below the page's own, as a tree. */
export function Namespaces() {
  const query = useQuery(namespacesQuery(''));
  const [isMaking, setIsMaking] = useState(false);
  const create = (
    <GuardedButton call={CREATION} kind="primary" onClick={() => setIsMaking(true)}>
      Create a namespace
    </GuardedButton>
  );
  return (
    <AccessPage
      title="Namespaces"
      about="Each has its own secrets, policies, tokens and destinations."
      actions={create}
    >
      <Loaded query={query}>
        {(names) =>
          names.length === 0 ? (
            <Empty title="No child namespaces" action={create}>
              Rights in one namespace grant no access to another.
            </Empty>
          ) : (
            <ul className={kit.card}>
              {names.map((name) => (
                <Branch key={name} parent="" name={name} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {isMaking ? <CreateNamespace parent="" close={() => setIsMaking(false)} /> : null}
    </AccessPage>
  );
}

// A namespace. The namespaces below it are read when the user opens it.
function Branch({ parent, name }: { parent: string; name: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const [dialog, setDialog] = useState<'create' | 'delete' | null>(null);
  const path = `${parent}${name}`;
  const close = () => setDialog(null);
  return (
    <li>
      <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary className={styles.name}>
          <code>{name}</code>
        </summary>
        {isOpen ? <Below path={path} /> : null}
      </details>
      <div className={styles.actions}>
        <Link
          to="/"
          search={{ ns: [currentNamespace(), path.replace(/\/$/, '')].filter(Boolean).join('/') }}
          className={kit.button}
          aria-label={`Open ${path}`}
        >
          Open
        </Link>
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
      {dialog === 'create' ? <CreateNamespace parent={path} close={close} /> : null}
      {dialog === 'delete' ? <DeleteNamespace parent={parent} name={name} close={close} /> : null}
    </li>
  );
}

function Below({ path }: { path: string }) {
  const { data, error, refetch } = useQuery(namespacesQuery(path.replace(/\/$/, '')));
  if (error) return <FailureNotice failure={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton rows={1} />;
  if (data.length === 0) return <p className={`${styles.below} ${kit.muted}`}>No child namespaces.</p>;
  return (
    <ul className={styles.below}>
      {data.map((name) => (
        <Branch key={name} parent={path} name={name} />
      ))}
    </ul>
  );
}
