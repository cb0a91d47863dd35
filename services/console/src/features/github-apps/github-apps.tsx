import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FailureNotice } from '../../kit/failure-notice.tsx';
import kit from '../../kit/kit.module.css';
import { Empty, Loaded, Page } from '../../kit/page.tsx';
import { GuardedButton } from '../../kit/rights/guarded-button.tsx';
import { ACTIONS, Table } from '../../kit/table.tsx';
import { AddApp, DeleteApp, ReplaceKey } from './change-app.tsx';
import { APPS, appNamesQuery, appPath, appQuery, type GithubApp } from './queries.ts';

const ADDITION = {
  method: 'POST' as const,
  path: appPath('+'),
  rights: [{ path: appPath('+'), capability: 'create' }],
};

/** The GitHub Apps that destinations sign in as. */
export function GithubApps() {
  const [isAdding, setIsAdding] = useState(false);
  const add = (
    <GuardedButton call={ADDITION} kind="primary" onClick={() => setIsAdding(true)}>
      Add a GitHub App
    </GuardedButton>
  );
  return (
    <Page
      title="GitHub Apps"
      rights={[APPS]}
      parts={ADDITION.rights}
      about="Apps that destinations of GitHub sign in as, instead of with an access token."
      actions={add}
    >
      <Loaded query={useQuery(appNamesQuery)}>
        {(names) =>
          names.length === 0 ? (
            <Empty title="No GitHub Apps yet" action={add}>
              Create an app at GitHub that may read and write secrets, generate a private key for it, and add
              both here.
            </Empty>
          ) : (
            <Table columns={['Name', 'App ID', 'Key (SHA-256)', 'Server', ACTIONS]}>
              {names.map((name) => (
                <Row key={name} name={name} />
              ))}
            </Table>
          )
        }
      </Loaded>
      {isAdding ? <AddApp close={() => setIsAdding(false)} /> : null}
    </Page>
  );
}

function Row({ name }: { name: string }) {
  const { data: app, error } = useQuery(appQuery(name));
  return (
    <tr>
      <td>{name}</td>
      <td>{app?.app_id ?? '–'}</td>
      <td>{app ? <code>{app.fingerprint}</code> : '–'}</td>
      <td>{app ? (app.enterprise_url ?? 'github.com') : '–'}</td>
      <td>
        {error ? <FailureNotice failure={error} /> : null}
        {app ? <Actions app={app} /> : null}
      </td>
    </tr>
  );
}

function Actions({ app }: { app: GithubApp }) {
  const [dialog, setDialog] = useState<'key' | 'delete' | null>(null);
  const close = (): void => setDialog(null);
  const path = appPath(app.name);
  return (
    <>
      <div className={kit.row}>
        <GuardedButton
          call={{ method: 'POST', path }}
          aria-label={`Replace key of ${app.name}`}
          onClick={() => setDialog('key')}
        >
          Replace key…
        </GuardedButton>
        <GuardedButton
          call={{ method: 'DELETE', path }}
          kind="danger"
          aria-label={`Delete ${app.name}`}
          onClick={() => setDialog('delete')}
        >
          Delete…
        </GuardedButton>
      </div>
      {dialog === 'key' ? <ReplaceKey app={app} close={close} /> : null}
      {dialog === 'delete' ? <DeleteApp app={app} close={close} /> : null}
    </>
  );
}
