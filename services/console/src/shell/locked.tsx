import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { ApiFailure } from '../api/failure.ts';
import { isGiven } from '../api/right.ts';
import { capabilitiesQuery } from '../api/rights.ts';
import { SUMMARY } from '../api/summary.ts';
import { FailureNotice } from '../kit/failure-notice.tsx';
import { Page } from '../kit/page.tsx';
import { ACCESS } from '../kit/rights/access-pages.ts';
import { PLACES } from './allowed-entries.ts';
import { SECRETS } from './entries.ts';

// They show something to whoever has only a part of their rights, or offer to create what they would list.
const OPEN_TO_ALL = [
  '/',
  SECRETS,
  '/destinations',
  '/alerts',
  '/versions',
  '/settings/oidc',
  ...ACCESS.map(({ to }) => to),
];

/** In place of a page of the navigation that the user may not see, its title and the rule that is missing. */
export function Locked({ path, children }: { path: string; children: ReactNode }) {
  const place = PLACES.find(({ to, right }) => to === path && right && !OPEN_TO_ALL.includes(to));
  const right = place?.right ?? SUMMARY;
  const { data: given } = useQuery({ ...capabilitiesQuery(right), enabled: place !== undefined });
  // A right that is taken away later must not cost what the user has typed.
  const [openPath, setOpenPath] = useState('');
  const wasOpen = openPath === path;
  if (given && isGiven(given, right) && !wasOpen) setOpenPath(path);
  if (!place || !given || isGiven(given, right) || wasOpen) return children;
  const problems = [{ detail: 'You don’t have permission.' }];
  return (
    <Page title={place.label}>
      <FailureNotice failure={new ApiFailure({ status: 403, problems, rights: [right] })} />
    </Page>
  );
}
