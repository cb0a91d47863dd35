/** Shapes of the answers about secrets. There are only types here, so an import loads nothing. Times are RFC 3339. */

/** Who made a change. The ids are empty: Sealift has neither clients nor entities. */
export type ActorAnswer = { actor: string; client_id: string; entity_id: string; operation: string };

/** The limits of a secret or of a mount. `max_versions` 0: this level sets no limit. */
export type LimitsAnswer = {
  cas_required: boolean;
  /** A duration such as `768h0m0s`; `0s`: never. */
  delete_version_after: string;
  max_versions: number;
};

/** `deletion_time` is empty for a version that is not deleted. */
export type SecretVersionAnswer = {
  created_time: string;
  created_by: ActorAnswer | null;
  deleted_by: ActorAnswer | null;
  deletion_time: string;
  destroyed: boolean;
};

export type SecretMetadataAnswer = LimitsAnswer & {
  created_time: string;
  current_version: number;
  custom_metadata: Record<string, string> | null;
  last_updated_by: ActorAnswer | null;
  oldest_version: number;
  updated_time: string;
  versions: Record<string, SecretVersionAnswer>;
};

/** The JSON type of a value. */
export type ValueType = 'text' | 'number' | 'boolean' | 'null' | 'list' | 'object';
