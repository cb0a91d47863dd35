/** SQL for a new fencing token. It is random, because a sequence may repeat its numbers after a failover. */
export const NEW_LEASE_TOKEN = 'floor(random() * 9007199254740991)::bigint';
