import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { schemasQuery } from '../../api/queries.ts';
import { rightFor } from '../../api/right.ts';
import { Button } from '../../kit/button.tsx';
import { GuardedButton } from '../../kit/rights/guarded-button.tsx';
import kit from '../../kit/kit.module.css';
import { Empty, Loaded, Page } from '../../kit/page.tsx';
import { Pages } from '../../kit/pages.tsx';
import { Search } from '../../kit/search.tsx';
import { SettingsLayout } from '../settings/settings-tabs.tsx';
import { AddVersion } from './add-version.tsx';
import { enginePath, versionsQuery } from './queries.ts';
import { VersionTable } from './version-table.tsx';

const route = getRouteApi('/versions');

const ENGINES: [string, string][] = [
  ['opa-versions', 'OPA'],
  ['sentinel-versions', 'Sentinel'],
  ['policy-engine-versions', 'Policy engine'],
];

/** The versions of the policy engines, and which may be used. */
export function Versions() {
  const { engine = 'opa-versions', q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const [page, setPage] = useState(1);
  const [isAdding, setIsAdding] = useState(false);
  const query = useQuery(versionsQuery(engine, q, page));
  const { data: schemas } = useQuery(schemasQuery);
  const add = (
    <GuardedButton
      call={{ method: 'POST', path: enginePath(engine) }}
      kind="primary"
      onClick={() => setIsAdding(true)}
    >
      Add a version
    </GuardedButton>
  );
  return (
    <Page
      title="Versions"
      rights={[rightFor('GET', enginePath('opa-versions'))]}
      parts={ENGINES.flatMap(([one]) => ['GET', 'POST'].map((method) => rightFor(method, enginePath(one))))}
      about="Versions of policy engines, kept for other programs: Sealift itself runs none."
      actions={add}
    >
      <SettingsLayout kinds={schemas?.settings ?? []}>
        <Engines chosen={engine} choose={() => setPage(1)} />
        <Search
          label="Filter by version"
          value={q}
          set={(text) => {
            setPage(1);
            void navigate({ search: { engine, q: text }, replace: true });
          }}
        />
        <Loaded query={query}>
          {({ versions, pages, total }) =>
            versions.length > 0 ? (
              <>
                <VersionTable engine={engine} versions={versions} />
                <Pages page={page} pages={pages} total={total} noun="version" go={setPage} />
              </>
            ) : q ? (
              <Empty
                title="No matching versions"
                action={
                  <Button onClick={() => void navigate({ search: { engine } })}>Clear the filter</Button>
                }
              />
            ) : (
              <Empty title="No versions yet" action={add}>
                A version is a download URL and checksum for a policy engine binary.
              </Empty>
            )
          }
        </Loaded>
      </SettingsLayout>
      {isAdding ? <AddVersion engine={engine} close={() => setIsAdding(false)} /> : null}
    </Page>
  );
}

function Engines({ chosen, choose }: { chosen: string; choose: () => void }) {
  return (
    <nav className={kit.tabs} aria-label="Engines">
      {ENGINES.map(([id, label]) => (
        <Link
          key={id}
          to="/versions"
          search={{ engine: id }}
          className={kit.tab}
          aria-current={id === chosen ? 'page' : undefined}
          activeOptions={{ exact: true, includeSearch: true }}
          onClick={choose}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
