import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useHasRights } from '../../kit/rights/allowed.ts';
import { SUMMARY, summaryQuery } from '../../api/summary.ts';
import { Button } from '../../kit/button.tsx';
import kit from '../../kit/kit.module.css';
import { Page } from '../../kit/page.tsx';
import { TimeRange } from '../../kit/picker/time-range.tsx';
import { Incidents, type ShownIncidents } from './incidents.tsx';
import { ProblemTabs } from './problem-tabs.tsx';

const route = getRouteApi('/problems/timeline');
const HOUR_MS = 3_600_000;

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

const FIELDS = [
  ['destination', 'Destination, as type/name'],
  ['cause', 'Cause'],
] as const;

function Filters({ filter, set }: { filter: TimelineFilter; set: (change: TimelineFilter) => void }) {
  const { data: summary } = useQuery({ ...summaryQuery, enabled: useHasRights([SUMMARY]) });
  const known = (summary?.destinations ?? []).map(
    ({ store_type: type, store_name: name }) => `${type}/${name}`,
  );
  return (
    <div className={kit.row} role="search">
      <TimeRange span={filter} set={set} />
      {FIELDS.map(([field, label]) => (
        // The start of a name is no filter yet: a field counts when it is left, or at Enter.
        <input
          key={`${field} ${filter[field] ?? ''}`}
          className={kit.input}
          aria-label={label}
          title={label}
          placeholder={label}
          list={field === 'destination' ? 'known-destinations' : undefined}
          defaultValue={filter[field] ?? ''}
          onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
          onBlur={({ target: { value } }) => {
            if (value !== (filter[field] ?? '')) set({ [field]: value || undefined });
          }}
        />
      ))}
      <datalist id="known-destinations">
        {known.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <label className={kit.check}>
        <input
          type="checkbox"
          checked={filter.open ?? false}
          onChange={(event) => set({ open: event.target.checked || undefined })}
        />
        <span>Only open incidents</span>
      </label>
      <Button
        onClick={() => set({ since: new Date(Date.now() - 12 * HOUR_MS).toISOString(), until: undefined })}
      >
        Last 12 hours
      </Button>
    </div>
  );
}

function zone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
