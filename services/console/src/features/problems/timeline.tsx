import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useHasRights } from '../../kit/rights/allowed.ts';
import { rightFor } from '../../api/right.ts';
import { SUMMARY, summaryQuery } from '../../api/summary.ts';
import { useDestinationName } from '../../api/vendors.ts';
import kit from '../../kit/kit.module.css';
import { Page } from '../../kit/page.tsx';
import { AppliedPicker } from '../../kit/picker/applied-picker.tsx';
import { namedOptions } from '../../kit/picker/options.ts';
import picking from '../../kit/picker/picker.module.css';
import { TimePresets, TimeRange } from '../../kit/picker/time-range.tsx';
import { CAUSE_TITLES } from './cause-titles.ts';
import { Incidents, type ShownIncidents } from './incidents.tsx';
import { ProblemTabs } from './problem-tabs.tsx';

const route = getRouteApi('/problems/timeline');

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
    <Page
      title="Timeline"
      rights={[INCIDENTS]}
      about={`What failed, from when until when, and how it ended. Times are in ${zone()}.`}
    >
      <ProblemTabs />
      <Filters filter={{ ...filter, destination }} set={set} />
      <Incidents
        destination={type !== '' && name !== '' ? { type, name } : null}
        filter={{ since: filter.since, until: filter.until, cause: filter.cause, open: filter.open }}
        clear={clear}
      />
    </Page>
  );
}

function Filters({ filter, set }: { filter: TimelineFilter; set: (change: TimelineFilter) => void }) {
  const { data: summary } = useQuery({ ...summaryQuery, enabled: useHasRights([SUMMARY]) });
  const nameOf = useDestinationName();
  const stores = namedOptions(
    (summary?.destinations ?? []).map(({ store_type: type, store_name: name }) => ({
      code: `${type}/${name}`,
      name: nameOf(type, name),
    })),
  );
  // A name alone means the destination that has it.
  const storeOf = (text: string): string =>
    stores.find(({ code }) => code?.endsWith(`/${text}`))?.code ?? text;
  return (
    <div className={`${kit.row} ${picking.filters}`} role="search">
      <TimePresets span={filter} set={set} />
      <TimeRange span={filter} set={set} />
      <AppliedPicker
        label="Destination"
        value={filter.destination ?? ''}
        options={stores}
        apply={(text) => set({ destination: storeOf(text) || undefined })}
      />
      <AppliedPicker
        label="Cause"
        value={filter.cause ?? ''}
        options={CAUSES}
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
    </div>
  );
}

const CAUSES = namedOptions(Object.entries(CAUSE_TITLES).map(([code, name]) => ({ code, name })));

function zone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
