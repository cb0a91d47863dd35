import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Right } from '../../api/right.ts';
import kit from '../../kit/kit.module.css';
import { Page } from '../../kit/page.tsx';
import { Guarded } from '../../kit/rights/guarded.tsx';
import type { PageRights } from '../../kit/rights/lock.ts';
import { ReadersLink } from '../../kit/rights/readers-link.tsx';
import { InstallationPause } from '../pauses/pause-notices.tsx';
import { Breadcrumbs } from './breadcrumbs.tsx';
import type { SecretName } from './split-path.ts';

type Props = {
  /** Mount and path. */
  full: string;
  /** Undefined while its mount is not known, and if there is none. */
  secret: SecretName | undefined;
  actions?: ReactNode;
  children: ReactNode;
};

/** The common frame of the pages of one secret. */
export function SecretPage({ full, secret, actions, children }: Props) {
  return (
    <Page
      title={full}
      {...(secret ? rightsOfSecret(secret) : {})}
      about={secret ? <Breadcrumbs {...secret} /> : null}
      actions={
        secret ? (
          <>
            {actions}
            <ReadersLink secret={full} />
          </>
        ) : null
      }
    >
      {secret ? <Tabs secret={full} /> : null}
      <InstallationPause />
      {children}
    </Page>
  );
}

/** The right to what became of a secret; `secret` is mount and path. */
export function storyRight(secret: string): Right {
  return { path: `sys/story/${secret}`, capability: 'read' };
}

function Tabs({ secret }: { secret: string }) {
  return (
    <nav className={kit.tabs} aria-label="Secret">
      <Link to="/secrets/$" params={{ _splat: secret }} className={kit.tab}>
        Secret
      </Link>
      <Guarded right={storyRight(secret)} label="Activity" kind="quiet">
        <Link
          to="/activity/$"
          params={{ _splat: secret }}
          activeOptions={{ includeSearch: false }}
          className={kit.tab}
        >
          Activity
        </Link>
      </Guarded>
    </nav>
  );
}

// A part of these rights shows a part of the secret.
function rightsOfSecret({ mount, path }: SecretName): PageRights {
  const ofValues = ['read', 'create', 'update', 'patch', 'delete'].map((capability) => ({
    path: `${mount}/data/${path}`,
    capability,
  }));
  return {
    rights: [{ path: `${mount}/metadata/${path}`, capability: 'read' }],
    parts: [{ path: `${mount}/subkeys/${path}`, capability: 'read' }, ...ofValues],
  };
}
