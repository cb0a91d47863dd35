import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useHasRights } from '../../../kit/rights/allowed.ts';
import { rightFor } from '../../../api/right.ts';
import { destinationNamesQuery } from '../../../api/queries.ts';
import { useDestinationName } from '../../../api/vendors.ts';
import kit from '../../../kit/kit.module.css';
import { Page } from '../../../kit/page.tsx';
import { AppliedPicker } from '../../../kit/picker/applied-picker.tsx';
import { namedOptions } from '../../../kit/picker/options.ts';
import { FoldedFilters } from '../../../kit/picker/folded-filters.tsx';
import { spanFaults, spanText, type TimeSpan } from '../../../kit/picker/span.ts';
import { TimePresets, TimeRange } from '../../../kit/picker/time-range.tsx';
import { InstallationPause } from '../../pauses/pause-notices.tsx';
import { CAUSE_TITLES } from '../../../../../../libs/telling/cause-titles.ts';
import { Incidents, type ShownIncidents } from './incidents.tsx';
import { ProblemTabs } from '../problem-tabs.tsx';

const route = getRouteApi('/problems/timeline');

const DESTINATIONS = { path: 'sys/sync/destinations', capability: 'list' };
const INCIDENTS = rightFor('GET', 'sys/sync/incidents');

/** `destination`: type and name, with a slash between. */
export type TimelineFilter = ShownIncidents & { destination?: string | undefined };

/** What happened while nobody looked, and whether it healed. */
export function Timeline() {
  const { destination = '', ...filter } = route.useSearch();
  const navigate = route.useNavigate();
  const [type = '', name = ''] = destination.split('/');
  const set = (change: TimelineFilter): void => {
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  };
  const clear = (): void => void navigate({ search: ({ ns }) => ({ ns }), replace: true });
  return (
    <Page title="Timeline" rights={[INCIDENTS]} about="What failed, when, for how long, and how it ended.">
      <ProblemTabs />
      <InstallationPause />
      <Filters filter={{ ...filter, destination }} set={set} />
      {spanFaults(filter).title ? null : <Shown span={filter} />}
      <Incidents
        destination={type !== '' && name !== '' ? { type, name } : null}
        filter={{ since: filter.since, until: filter.until, cause: filter.cause, open: filter.open }}
        clear={clear}
      />
    </Page>
  );
}

// The fields of a browser follow its language: the whole span stands here, by a clock of 24 hours.
function Shown({ span }: { span: TimeSpan }) {
  const text = spanText(span) || 'all';
  return (
    <p className={kit.muted} role="status">
      Time range: {span.since && !span.until ? `${text} until now` : text}. Times are in {zone()}.
    </p>
  );
}

function Filters({ filter, set }: { filter: TimelineFilter; set: (change: TimelineFilter) => void }) {
  const { data: names } = useQuery({ ...destinationNamesQuery, enabled: useHasRights([DESTINATIONS]) });
  const nameOf = useDestinationName();
  const stores = namedOptions(
    (names ?? []).map(({ type, name }) => ({ code: `${type}/${name}`, name: nameOf(type, name) })),
  );
  return (
    <FoldedFilters count={Object.values(filter).filter(Boolean).length}>
      <TimePresets span={filter} set={set} />
      <TimeRange span={filter} set={set} />
      <AppliedPicker
        label="Destination"
        value={filter.destination ?? ''}
        options={stores}
        noun={names && 'destination'}
        other={DELETED}
        apply={(store) => set({ destination: store || undefined })}
      />
      <AppliedPicker
        label="Cause"
        value={filter.cause ?? ''}
        options={CAUSES}
        noun="cause"
        apply={(cause) => set({ cause: cause || undefined })}
      />
      <label className={kit.check}>
        <input
          type="checkbox"
          checked={filter.open ?? false}
          onChange={(event) => set({ open: event.target.checked || undefined })}
        />
        <span>Only open incidents</span>
      </label>
    </FoldedFilters>
  );
}

// A deleted one is in no list: its type and name find its incidents.
const DELETED = /^[^/\s]+\/[^/\s]+$/;

const CAUSES = namedOptions(Object.entries(CAUSE_TITLES).map(([code, name]) => ({ code, name })));

function zone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
