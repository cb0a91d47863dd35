/** SQL: whether an association `a` is about to be tried, or is being tried. */
export const UNDER_WAY = `(a.due_at <= now() OR a.lease_token IS NOT NULL) IS TRUE`;

/**
 * SQL: whether an association `a` waits for its destination `d`, which fails as a whole: its own failure is from before that,
 * and the destination's is its cause now. While the store asks to wait, that is why it waits.
 */
export const WAITS = `(a.due_at <= now() AND d.failure IS NOT NULL AND coalesce(d.throttled_until <= now(), true)) IS TRUE`;
