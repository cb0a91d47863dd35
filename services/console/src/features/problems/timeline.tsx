import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { summaryQuery } from '../../api/summary.ts';
import { Button } from '../../kit/button.tsx';
import kit from '../../kit/kit.module.css';
import { Page } from '../../kit/page.tsx';
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
  ['since', 'From', 'datetime-local'],
  ['until', 'Until', 'datetime-local'],
  ['destination', 'Destination, as type/name', 'text'],
  ['cause', 'Cause', 'text'],
] as const;

function Filters({ filter, set }: { filter: TimelineFilter; set: (change: TimelineFilter) => void }) {
  const { data: summary } = useQuery(summaryQuery);
  const known = (summary?.destinations ?? []).map(
    ({ store_type: type, store_name: name }) => `${type}/${name}`,
  );
  return (
    <div className={kit.row} role="search">
      {FIELDS.map(([field, label, type]) => (
        // The start of a name is no filter yet: a field counts when it is left, or at Enter.
        <input
          key={`${field} ${filter[field] ?? ''}`}
          type={type}
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
      <Button onClick={() => set({ since: localTime(Date.now() - 12 * HOUR_MS), until: undefined })}>
        Last 12 hours
      </Button>
    </div>
  );
}

function zone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

// As a field for a local time has it.
function localTime(ms: number): string {
  const offsetMs = new Date(ms).getTimezoneOffset() * 60_000;
  return new Date(ms - offsetMs).toISOString().slice(0, 16);
}
