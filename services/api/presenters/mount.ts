import type { MountAnswer, TuningAnswer } from '../contract/mounts.ts';
import type { Mount } from '../../../libs/store/secrets/mounts.ts';

const DEFAULT_TTL_SECONDS = 2_764_800;

/** A mount in the form that clients know. Features that this service does not have are shown as switched off. */
export function presentMount(mount: Mount): MountAnswer {
  return {
    accessor: mount.accessor,
    type: 'kv',
    description: mount.description,
    uuid: mount.uuid,
    local: mount.local,
    seal_wrap: mount.seal_wrap,
    external_entropy_access: false,
    // If nobody named a version, we show no options. Otherwise infrastructure tools would remove the version at each run.
    options: mount.names_version ? { version: String(mount.version) } : null,
    config: { default_lease_ttl: 0, max_lease_ttl: 0, force_no_cache: false, ...shownConfig(mount) },
    plugin_version: '',
    running_plugin_version: '',
    running_sha256: '',
    deprecation_status: 'supported',
  };
}

/** What tuning can change of a mount. Times that nobody set are shown as the default. */
export function presentTuning(mount: Mount): TuningAnswer {
  const { description, options } = presentMount(mount);
  const config = shownConfig(mount);
  return {
    force_no_cache: false,
    ...config,
    default_lease_ttl: config.default_lease_ttl || DEFAULT_TTL_SECONDS,
    max_lease_ttl: config.max_lease_ttl || DEFAULT_TTL_SECONDS,
    description,
    options,
  };
}

// Clients remove a list by setting an empty one, so we do not show empty lists.
function shownConfig({ config }: Mount): Partial<MountAnswer['config']> & Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(config).filter(([, value]) => !(Array.isArray(value) && value.length === 0)),
  );
}

/** Mounts by their paths with a slash at the end. */
export function presentMounts(mounts: Mount[]): Record<string, MountAnswer> {
  return Object.fromEntries(mounts.map((mount) => [`${mount.path}/`, presentMount(mount)]));
}
