import type { Destination } from '../../../libs/connector/contract.ts';
import { isSensitive, withDefaults } from '../../../libs/connector/settings.ts';
import { MASK } from '../../../libs/settings/redact.ts';
import type { DestinationOptions, DestinationRow } from '../../../libs/store/destinations/destinations.ts';
import type { Pause } from '../../../libs/store/destinations/pauses.ts';
import type { PauseAnswer } from '../contract/pause.ts';
import type { DestinationAnswer } from '../contract/destinations.ts';

// With it, the compiler reports an option that is left out. The other two are shown under other names.
type Shown = Omit<DestinationOptions, 'granularity' | 'custom_tags'> & {
  granularity_level: DestinationOptions['granularity'];
};

/**
 * A destination as callers may read it: a sensitive setting that is set reads `*****`. `asked` is the type as the
 * caller spelled it.
 */
export function presentDestination(
  row: DestinationRow,
  type: Destination,
  spelling: string,
): DestinationAnswer {
  const shown = Object.entries(withDefaults(type, row.settings)).map(([name, value]) => [
    name,
    isSensitive(type, name) ? MASK : value,
  ]);
  return {
    name: row.name,
    type: spelling,
    connection_details: { ...Object.fromEntries(shown), ...appConfig(row, type) },
    options: {
      granularity_level: row.granularity,
      secret_name_template: row.secret_name_template,
      ...(type.tags ? { custom_tags: row.custom_tags } : {}),
      conflict_policy: row.conflict_policy,
      deletion_policy: row.deletion_policy,
      on_latest_deleted: row.on_latest_deleted,
      drift_check: row.drift_check,
      owner_check_seconds: row.owner_check_seconds,
    } satisfies Shown,
    ...(row.pause ? { paused: presentPause(row.pause) } : {}),
    ...(row.purge_initiated_at ? { purge_initiated_at: row.purge_initiated_at.toISOString() } : {}),
    ...(row.purge_error === null ? {} : { purge_error: row.purge_error }),
  };
}

// Some clients read the name of the app here.
function appConfig({ settings }: DestinationRow, { app }: Destination): Record<string, unknown> {
  const name = app?.nameOf(settings);
  return name === undefined ? {} : { app_config: { app_name: name } };
}

/** A pause as callers read it, with times in UTC. */
export function presentPause(pause: Pause): PauseAnswer {
  return {
    ...pause,
    since: inUtc(pause.since),
    until: inUtc(pause.until),
    changed_at: inUtc(pause.changed_at),
  };
}

function inUtc(time: string | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
