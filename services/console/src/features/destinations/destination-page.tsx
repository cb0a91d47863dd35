import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import type { ProblemAnswer } from '../../../../api/contract/summary.ts';
import { isMissing } from '../../api/failure.ts';
import { destinationPath, destinationQuery } from '../../api/queries.ts';
import { ownSummaryQuery } from '../../api/summary.ts';
import { useVendors } from '../../api/vendors.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { Refusal } from '../../kit/refusing/refusal.tsx';
import { Action } from '../../kit/rights/action.tsx';
import { GuardedButton } from '../../kit/rights/guarded-button.tsx';
import kit from '../../kit/kit.module.css';
import { Notice } from '../../kit/notice.tsx';
import { Page } from '../../kit/page.tsx';
import { PauseButton } from '../pauses/pause-button.tsx';
import { PauseNotices } from '../pauses/pause-notices.tsx';
import { LimitedNotice } from '../pauses/limited-notice.tsx';
import { SilenceNotice } from '../pauses/silence-notice.tsx';
import { CheckNotice, tryCredentials, type Checked } from '../plans/check.tsx';
import { LinkDialog } from './link-dialog.tsx';

// Where nothing fails it is not needed.
const FailingNotice = lazy(async () => ({
  default: (await import('./failing-notice.tsx')).FailingNotice,
}));

type Props = {
  type: string;
  name: string;
  /** The page itself offers to test what it shows. */
  hasOwnCheck?: boolean;
  /** The page holds what somebody typed, so it stays although the destination is gone. */
  remains?: boolean;
  children: ReactNode;
};

/** The common frame of the pages of one destination. */
export function DestinationPage(props: Props) {
  const isGone = useIsGone(props.type, props.name);
  return isGone && !props.remains ? <NotFound name={props.name} /> : <Frame {...props} isGone={isGone} />;
}

function Frame({ type, name, hasOwnCheck = false, isGone, children }: Props & { isGone: boolean }) {
  const base = destinationPath(type, name);
  const { data: own } = useQuery(ownSummaryQuery(type, name));
  const [linking, setLinking] = useState(false);
  const [outcome, setOutcome] = useState<Checked | null>(null);
  const { busy, failure, attempt } = useAttempt();
  const check = (): Promise<boolean> =>
    attempt(async () => {
      setOutcome(null);
      setOutcome(await tryCredentials({ method: 'POST', path: `${base}/check` }));
    });

  return (
    <Page
      title={name}
      rights={[{ path: base, capability: 'read' }]}
      parts={[
        { path: base, capability: 'patch' },
        { path: `${base}/+`, capability: 'read' },
        { path: `${base}/+`, capability: 'update' },
      ]}
      about={useVendors()(type)}
      actions={
        <>
          {hasOwnCheck ? null : (
            <Action call={{ method: 'POST', path: `${base}/check` }} busy={busy} onClick={() => void check()}>
              {busy ? 'Testing…' : 'Test connection'}
            </Action>
          )}
          <PauseButton subject={{ type, name }} isPaused={Boolean(own?.paused)} />
          <GuardedButton
            call={{ method: 'POST', path: `${base}/associations/set-many` }}
            kind="primary"
            onClick={() => setLinking(true)}
          >
            Link secrets
          </GuardedButton>
        </>
      }
    >
      <Tabs type={type} name={name} />
      {isGone ? <GoneNotice /> : null}
      <PauseNotices type={type} name={name} />
      {own ? <SilenceNotice destinations={[own]} /> : null}
      {own ? <LimitedNotice destinations={[own]} /> : null}
      {own ? <WhatFails problems={own.problems} /> : null}
      <Refusal failure={failure} />
      {outcome ? <CheckNotice checked={outcome} of="Stored credentials" /> : null}
      {children}
      {linking ? <LinkDialog type={type} name={name} close={() => setLinking(false)} /> : null}
    </Page>
  );
}

// The summary also leaves out what the address calls by another name of its type.
function useIsGone(type: string, name: string): boolean {
  const { data: own, error } = useQuery(ownSummaryQuery(type, name));
  const isLeftOut = own === null || isMissing(error);
  const { error: refusal } = useQuery({ ...destinationQuery(type, name), enabled: isLeftOut });
  return isLeftOut && isMissing(refusal);
}

function GoneNotice() {
  return (
    <Notice tone="limited">
      Someone deleted this destination. What you typed stays here until you leave the page, but can’t be
      saved.
    </Notice>
  );
}

function NotFound({ name }: { name: string }) {
  return (
    <Page title="Destination not found">
      <p>There is no destination {name} here, or you don’t have access to it. It may have been deleted.</p>
      <p>
        <Link to="/destinations" search={{}}>
          Go to the destinations
        </Link>
      </p>
    </Page>
  );
}

function WhatFails({ problems }: { problems: ProblemAnswer[] }) {
  if (problems.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <FailingNotice problems={problems} />
    </Suspense>
  );
}

function Tabs({ type, name }: { type: string; name: string }) {
  return (
    <nav className={kit.tabs} aria-label="Destination">
      <Link
        to="/destinations/$type/$name"
        params={{ type, name }}
        search={{}}
        activeOptions={{ exact: true, includeSearch: false }}
        className={kit.tab}
      >
        Links
      </Link>
      <Link to="/destinations/$type/$name/settings" params={{ type, name }} className={kit.tab}>
        Settings
      </Link>
      <Link to="/destinations/$type/$name/history" params={{ type, name }} className={kit.tab}>
        Activity
      </Link>
    </nav>
  );
}
