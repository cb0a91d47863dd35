import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useLocation } from '@tanstack/react-router';
import { mountsQuery } from '../../api/queries.ts';
import { Empty, Loaded, Page } from '../../kit/page.tsx';
import { Folder } from './folder.tsx';
import { Mounts } from './mounts.tsx';
import { Secret } from './secret.tsx';
import { splitPath } from './split-path.ts';

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
  const mounts = useQuery(mountsQuery);
  return (
    <Page title={full}>
      <Loaded query={mounts}>
        {(all) => {
          const found = splitPath(all, full.replace(/\/$/, ''));
          if (!found) return <Empty title="There is no such mount, or you have no right to it" />;
          return full.endsWith('/') || found.path === '' ? (
            <Folder mount={found.mount} folder={found.path} />
          ) : (
            <Secret mount={found.mount} path={found.path} />
          );
        }}
      </Loaded>
    </Page>
  );
}
