import type { Mount } from '../../../libs/store/secrets/mounts.ts';

/** A mount as clients know it; what this service does not have reads as switched off. */
export function presentMount(mount: Mount): Record<string, unknown> {
  return {
    accessor: mount.accessor,
    type: 'kv',
    description: mount.description,
    uuid: mount.uuid,
    local: false,
    seal_wrap: false,
    external_entropy_access: false,
    options: { version: String(mount.version) },
    config: { default_lease_ttl: 0, max_lease_ttl: 0, force_no_cache: false, ...mount.config },
    plugin_version: '',
    running_plugin_version: '',
    running_sha256: '',
    deprecation_status: 'supported',
  };
}

/** What tuning a mount can change. */
export function presentTuning(mount: Mount): object {
  const { config, description, options } = presentMount(mount);
  return { ...(config as object), description, options };
}

/** Mounts by their paths with a slash at the end. */
export function presentMounts(mounts: Mount[]): Record<string, unknown> {
  return Object.fromEntries(mounts.map((mount) => [`${mount.path}/`, presentMount(mount)]));
}
