/** SQL: a version `v` of a secret can be read at a time. */
export const isLive = (moment = 'now()'): string =>
  `NOT v.destroyed AND v.sealed IS NOT NULL AND (v.deletion_time IS NULL OR v.deletion_time > ${moment})`;

/** SQL: a version `v` of a secret `s` may stand at a destination `d`. The highest such version does. */
export const MAY_BE_SYNCED = `${isLive()} AND (v.version = s.current_version OR d.on_latest_deleted = 'previous')`;
