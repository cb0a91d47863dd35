import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment, useState } from 'react';
import { ownSummaryQuery } from '../../api/summary.ts';
import { useDestinationName } from '../../api/vendors.ts';
import { Notice } from '../../kit/notice.tsx';
import { Result } from '../../kit/results/latest.tsx';
import { titleOfCause } from '../../../../../libs/telling/cause-titles.ts';
import { counted } from '../../kit/text/counted.ts';
import { PathText } from '../../kit/text/path-text.tsx';
import { isLeftAlone, useLeft, type Left, type LeftFor, type Retry } from './left.ts';

/** What came of a retry. */
export function RetryResult({ retry }: { retry: Retry }) {
  const nameOf = useDestinationName();
  const left = useEnd(useLeft(retry));
  const store = nameOf(retry.type, retry.name);
  const { data: own } = useQuery(ownSummaryQuery(retry.type, retry.name));
  const end = own?.held
    ? 'the pause ends'
    : own?.throttled_until
      ? 'the rate limit of the store has ended'
      : null;
  if (end && left?.length !== 0)
    return (
      <Result tone="info">
        {retry.isOverwriting
          ? `Changed entries in ${store} are overwritten`
          : `Links of ${store} are tried again`}{' '}
        once {end}.
      </Result>
    );
  if (left === null)
    return (
      <Notice tone="info">
        {retry.isOverwriting ? `Overwriting changed entries in ${store}…` : `Retrying links of ${store}…`}
      </Notice>
    );
  return (
    <Result tone={left.length === 0 ? 'ok' : 'person'}>
      {retry.isOverwriting && retry.secrets
        ? overwrittenText(retry.secrets.length, left, store)
        : retriedText(retry, left, store)}
      {retry.isOverwriting && left !== 'many' && left.some(isStillTried) ? STANDS : null}
      <WhichLeft retry={retry} left={left} />
    </Result>
  );
}

// Once nothing fails any more, what comes later is not of this retry.
function useEnd(left: Left | null): Left | null {
  const [end, setEnd] = useState<Left | null>(null);
  if (end === null && left !== null && left !== 'many' && left.every(isLeftAlone)) setEnd(left);
  return end ?? left;
}

function overwrittenText(links: number, left: Left, store: string): string {
  if (left === 'many') return `Tried to overwrite changed entries in ${store}: ${leftText(left)}`;
  const done = links - countOf(left);
  const what =
    done === 0
      ? `No changed entry in ${store} was overwritten.`
      : `Overwrote the changed entries of ${counted(done, 'link')} in ${store}.`;
  return [what, leftText(left, ' again')].filter(Boolean).join(' ');
}

const STANDS =
  ' Overwriting still stands for what failed: Sealift does it when it tries again. To withdraw that, open the link.';

function isStillTried({ status }: LeftFor): boolean {
  return status === 'EXTERNAL_SERVICE_ERROR' || status === 'INTERNAL_ERROR';
}

// Links that had a cause may fail for another one by now. Where they are not known one by one, all of the destination count.
function retriedText({ filter: { cause }, secrets, missing }: Retry, left: Left, store: string): string {
  if (secrets) {
    const retried = Math.max(0, secrets.length - missing);
    const healed = retried === 1 ? 'it no longer fails.' : 'none of them is failing any more.';
    const gone = missing > 0 ? ` ${missingText(missing)}` : '';
    if (retried === 0) return `Retried nothing in ${store}.${gone}`;
    return `Retried ${counted(retried, 'link')} of ${store}: ${leftText(left) || healed}${gone}`;
  }
  const what = cause ? `links with “${titleOfCause(cause)}”` : 'links';
  return `Retried ${what} of ${store}: ${leftText(left) || 'no link there fails any more.'}`;
}

function missingText(links: number): string {
  return links === 1 ? '1 is no longer linked.' : `${links.toLocaleString('en')} are no longer linked.`;
}

// What was changed since the question is left, so that nothing is lost that nobody agreed to.
function leftText(left: Left, again = ''): string {
  if (left === 'many') return 'many links are failing.';
  const changed = countOf(left.filter(isLeftAlone));
  const failing = countOf(left) - changed;
  const sentences = [];
  if (failing > 0) sentences.push(`${counted(failing, 'link')} ${failing === 1 ? 'is' : 'are'} failing.`);
  if (changed === 1)
    sentences.push(`1 link was left alone, because someone changed its entry${again} in the store.`);
  if (changed > 1)
    sentences.push(
      `${counted(changed, 'link')} were left alone, because someone changed their entries${again} in the store.`,
    );
  return sentences.join(' ');
}

function countOf(left: Exclude<Left, 'many'>): number {
  return left.reduce((sum, { count }) => sum + count, 0);
}

// Leads to the links that have not healed: to the one of a cause, or to all that have it.
function WhichLeft({ retry: { type, name }, left }: { retry: Retry; left: Left }) {
  if (left === 'many' || left.length === 0) return null;
  return (
    <>
      {' '}
      See{' '}
      {left.map(({ status, code, count, only }, index) => (
        <Fragment key={`${status} ${code} ${index}`}>
          {index > 0 ? ', ' : ''}
          {only === undefined ? (
            <Link
              to="/destinations/$type/$name"
              params={{ type, name }}
              search={code ? { cause: code } : { status }}
            >
              {titleOfCause(code)} ({count.toLocaleString('en')})
            </Link>
          ) : (
            <Link to="/destinations/$type/$name/secret/$" params={{ type, name, _splat: only }}>
              <PathText path={only} />
            </Link>
          )}
        </Fragment>
      ))}
      .
    </>
  );
}
