import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { mountsQuery } from '../../api/queries.ts';
import { Empty, Loaded, Page } from '../../kit/page.tsx';
import { GuardedButton } from '../../kit/rights/guarded-button.tsx';
import { InstallationPause } from '../pauses/pause-notices.tsx';
import { Breadcrumbs } from './breadcrumbs.tsx';
import { CreateDialog } from './create/create-dialog.tsx';
import { Folder } from './folder.tsx';
import { MountActions } from './mounts/mount-actions.tsx';
import { Mounts } from './mounts/mounts.tsx';
import { SecretPage } from './secret-page.tsx';
import { Secret } from './secret.tsx';
import { splitPath, type SecretName } from './split-path.ts';

const route = getRouteApi('/secrets/$');

/** The mounts, a folder, or a secret: a path that ends in a slash is a folder. */
export function Secrets() {
  const { _splat: path = '' } = route.useParams();
  const { pathname } = useLocation();
  // The router's parameter does not have the last slash.
  const full = path !== '' && pathname.endsWith('/') ? `${path.replace(/\/$/, '')}/` : path;
  return full === '' ? <Mounts /> : <Place key={full} full={full} />;
}

function Place({ full }: { full: string }) {
  const query = useQuery(mountsQuery);
  const found = query.data && splitPath(query.data, full.replace(/\/$/, ''));
  const isFolder = full.endsWith('/') || found?.path === '';
  if (!isFolder)
    return (
      <SecretPage full={full} secret={found}>
        <Loaded query={query}>{() => (found ? <Secret {...found} /> : <NoMount />)}</Loaded>
      </SecretPage>
    );
  return (
    <Page
      title={full}
      about={found ? <Breadcrumbs {...found} /> : null}
      actions={found ? <FolderActions {...found} /> : null}
    >
      <InstallationPause />
      <Loaded query={query}>
        {() => (found ? <Folder mount={found.mount} folder={found.path} full={full} /> : <NoMount />)}
      </Loaded>
    </Page>
  );
}

function NoMount() {
  return <Empty title="No such mount, or you don’t have access" />;
}

function FolderActions({ mount, path: folder }: SecretName) {
  const [isOpen, setIsOpen] = useState(false);
  const below = [mount, 'data', folder, '+'].filter(Boolean).join('/');
  return (
    <>
      <GuardedButton
        call={{ method: 'POST', path: '', rights: [{ path: below, capability: 'create' }] }}
        kind="primary"
        onClick={() => setIsOpen(true)}
      >
        Create a secret
      </GuardedButton>
      {folder === '' ? <MountActions mount={mount} /> : null}
      {isOpen ? <CreateDialog mount={mount} folder={folder} close={() => setIsOpen(false)} /> : null}
    </>
  );
}
