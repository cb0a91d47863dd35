/** SQL for a new fencing token. It is random, since a failover may repeat the numbers of a sequence. */
export const NEW_LEASE_TOKEN = 'floor(random() * 9007199254740991)::bigint';
