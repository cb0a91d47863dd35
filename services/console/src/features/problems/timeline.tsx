import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useHasRights } from '../../kit/rights/allowed.ts';
import { SUMMARY, summaryQuery } from '../../api/summary.ts';
import { useDestinationName } from '../../api/vendors.ts';
import { Button } from '../../kit/button.tsx';
import kit from '../../kit/kit.module.css';
import { Page } from '../../kit/page.tsx';
import type { Option } from '../../kit/picker/options.ts';
import picking from '../../kit/picker/picker.module.css';
import { Picker } from '../../kit/picker/picker.tsx';
import { TimeRange } from '../../kit/picker/time-range.tsx';
import { CAUSE_TITLES } from './cause-titles.ts';
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

function Filters({ filter, set }: { filter: TimelineFilter; set: (change: TimelineFilter) => void }) {
  const { data: summary } = useQuery({ ...summaryQuery, enabled: useHasRights([SUMMARY]) });
  const nameOf = useDestinationName();
  const stores = (summary?.destinations ?? []).map(({ store_type: type, store_name: name }) => ({
    value: `${type}/${name}`,
    about: nameOf(type, name),
  }));
  // A name alone means the destination that has it.
  const storeOf = (text: string): string =>
    stores.find(({ value }) => value.endsWith(`/${text}`))?.value ?? text;
  return (
    <div className={kit.row} role="search">
      <TimeRange span={filter} set={set} />
      <Field
        key={`destination ${filter.destination ?? ''}`}
        label="Destination"
        value={filter.destination ?? ''}
        options={stores}
        set={(text) => set({ destination: storeOf(text) || undefined })}
      />
      <Field
        key={`cause ${filter.cause ?? ''}`}
        label="Cause"
        value={filter.cause ?? ''}
        options={CAUSES}
        set={(cause) => set({ cause: cause || undefined })}
      />
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

const CAUSES = Object.entries(CAUSE_TITLES).map(([value, about]) => ({ value, about }));

// The start of a name is no filter yet: a field counts when something is chosen, when it is left, or at Enter.
function Field({
  label,
  value,
  options,
  set,
}: {
  label: string;
  value: string;
  options: Option[];
  set: (text: string) => void;
}) {
  const [text, setText] = useState(value);
  const commit = (next: string): void => {
    if (next !== value) set(next);
  };
  return (
    <div className={picking.field}>
      <span className={`${kit.small} ${kit.muted}`} aria-hidden>
        {label}
      </span>
      <Picker
        aria-label={label}
        options={options}
        value={text}
        change={setText}
        pick={commit}
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
        onBlur={() => commit(text)}
      />
    </div>
  );
}

function zone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
