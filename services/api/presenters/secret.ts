import type { Mount } from '../../../libs/store/secrets/mounts.ts';
import type { Secret, SecretVersion } from '../../../libs/store/secrets/secrets.ts';
import { formatDuration } from '../../../libs/validation/duration.ts';
import type {
  ActorAnswer,
  LimitsAnswer,
  SecretMetadataAnswer,
  VersionMetadataAnswer,
} from '../contract/secrets.ts';

type VersionWithMetadata = SecretVersion & { custom_metadata: Record<string, string> | null };

/** What we tell about a version beside its data. */
export function presentVersionMetadata(version: VersionWithMetadata): VersionMetadataAnswer {
  return {
    created_time: version.created_at.toISOString(),
    custom_metadata: version.custom_metadata,
    deletion_time: version.deletion_time?.toISOString() ?? '',
    destroyed: version.destroyed,
    version: version.version,
  };
}

/** A secret with all its versions, without a value. */
export function presentSecret(secret: Secret, versions: SecretVersion[]): SecretMetadataAnswer {
  return {
    ...presentLimits(secret),
    created_time: secret.created_at.toISOString(),
    current_version: secret.current_version,
    custom_metadata: secret.custom_metadata,
    last_updated_by: presentActor(secret.last_updated_by, 'update'),
    oldest_version: secret.oldest_version,
    updated_time: secret.updated_at.toISOString(),
    versions: Object.fromEntries(
      versions.map((version) => [
        version.version,
        {
          created_time: version.created_at.toISOString(),
          created_by: presentActor(version.created_by, 'create'),
          deleted_by: presentActor(version.deleted_by, 'delete'),
          deletion_time: version.deletion_time?.toISOString() ?? '',
          destroyed: version.destroyed,
        },
      ]),
    ),
  };
}

// There are no clients or entities here, but readers look for both.
function presentActor(actor: string | null, operation: string): ActorAnswer | null {
  return actor === null ? null : { actor, client_id: '', entity_id: '', operation };
}

/** The limits of a secret or of a whole mount; 0 versions: this level sets no limit. */
export function presentLimits(
  limits: Pick<Secret | Mount, 'cas_required' | 'delete_version_after_seconds' | 'max_versions'>,
): LimitsAnswer {
  return {
    cas_required: limits.cas_required,
    delete_version_after: formatDuration(limits.delete_version_after_seconds),
    max_versions: limits.max_versions,
  };
}
