/**
 * One exposed metric. Labels have few values by design: types, routes, statuses and codes, never a name that a person
 * chose.
 */
export type MetricDefinition = {
  kind: 'counter' | 'gauge' | 'histogram';
  name: string;
  help: string;
  labels: readonly string[];
  /** Upper bounds of a histogram's buckets. */
  buckets?: readonly number[];
};

// In seconds; a vendor call may take up to CALL_TIMEOUT.
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;

/** All metrics. The dashboard, the alert rules and the operator's manual are checked against this table. */
export const definitions = {
  requests: {
    kind: 'counter',
    name: 'sealift_http_requests_total',
    help: 'Requests to the API by route pattern and status.',
    labels: ['route', 'status'],
  },
  requestSeconds: {
    kind: 'histogram',
    name: 'sealift_http_request_seconds',
    help: 'Time to answer a request, by route pattern.',
    labels: ['route'],
    buckets: SECONDS,
  },
  refusals: {
    kind: 'counter',
    name: 'sealift_refused_requests_total',
    help: 'Requests that were refused for who sent them, by kind: no_token, bad_token, ended_token, wrong_address, no_csrf, foreign_page, unknown_namespace, permission_denied, log_in_failed, bad_wrapping_token, refused_change, rate_limited.',
    labels: ['kind'],
  },
  attempts: {
    kind: 'counter',
    name: 'sealift_sync_attempts_total',
    help: 'Attempts to push an association, by destination type, outcome (SETTLED, UNCONFIRMED, REMOVED, UNFINISHED, THROTTLED or an error class) and cause code.',
    labels: ['type', 'outcome', 'code'],
  },
  pushSeconds: {
    kind: 'histogram',
    name: 'sealift_sync_push_seconds',
    help: 'Time that the calls for one external entry took, by destination type and result (done or failed).',
    labels: ['type', 'result'],
    buckets: SECONDS,
  },
  oldestDue: {
    kind: 'gauge',
    name: 'sealift_sync_oldest_due_seconds',
    help: 'Age of the oldest due association that a worker could claim now; 0 if none is due.',
    labels: ['type'],
  },
  due: {
    kind: 'gauge',
    name: 'sealift_sync_due',
    help: 'Due associations that a worker could claim now, counted up to 10000 for each destination.',
    labels: ['type'],
  },
  storeClockOffset: {
    kind: 'gauge',
    name: 'sealift_store_clock_offset_seconds',
    help: "How far a store's clock was ahead of this worker's when the store last refused a call because of it.",
    labels: ['type'],
  },
  throttledDestinations: {
    kind: 'gauge',
    name: 'sealift_sync_throttled_destinations',
    help: 'Destinations whose store has asked to wait.',
    labels: ['type'],
  },
  throttledSeconds: {
    kind: 'counter',
    name: 'sealift_sync_throttled_seconds_total',
    help: 'Time that stores have asked this worker to wait, overlapping waits of one destination counted once.',
    labels: ['type'],
  },
  retries: {
    kind: 'counter',
    name: 'sealift_sync_retries_total',
    help: 'Failed attempts that will be retried.',
    labels: ['type'],
  },
  leasesLost: {
    kind: 'counter',
    name: 'sealift_sync_leases_lost_total',
    help: 'Results that came after their lease had ended; the work is repeated.',
    labels: ['type'],
  },
  queueMessages: {
    kind: 'gauge',
    name: 'sealift_queue_messages',
    help: 'Messages that wait in a queue, by queue name without the prefix.',
    labels: ['queue'],
  },
  deadLetters: {
    kind: 'counter',
    name: 'sealift_dead_letters_total',
    help: 'Unreadable messages that were dead-lettered, by the queue they came from, without the prefix.',
    labels: ['queue'],
  },
  brokerConnected: {
    kind: 'gauge',
    name: 'sealift_broker_connected',
    help: '1 while the process is connected to RabbitMQ and RabbitMQ accepts messages.',
    labels: [],
  },
  eventSubscriptions: {
    kind: 'gauge',
    name: 'sealift_event_subscriptions',
    help: 'Subscriptions to events that are open at this process of the API.',
    labels: [],
  },
  mails: {
    kind: 'counter',
    name: 'sealift_smtp_conversations_total',
    help: 'Connections to the SMTP server by outcome: done or the code of the failure.',
    labels: ['outcome'],
  },
  texts: {
    kind: 'counter',
    name: 'sealift_sms_messages_total',
    help: 'Messages sent to the SMS provider by outcome: done or the code of the failure.',
    labels: ['outcome'],
  },
  jobs: {
    kind: 'counter',
    name: 'sealift_jobs_total',
    help: 'Runs of maintenance jobs in this process by name and outcome.',
    // Not `job`: Prometheus uses that label for the name of the scrape.
    labels: ['name', 'outcome'],
  },
  signingKeyAge: {
    kind: 'gauge',
    name: 'sealift_signing_key_age_seconds',
    help: 'Age of the key that signs workload tokens.',
    labels: [],
  },
  signingKeys: {
    kind: 'gauge',
    name: 'sealift_signing_keys',
    help: 'Signing keys whose tokens are accepted.',
    labels: [],
  },
  poolConnections: {
    kind: 'gauge',
    name: 'sealift_database_pool_connections',
    help: 'Connections to Postgres by state: used, free, or limit (the maximum).',
    labels: ['state'],
  },
  poolWaiting: {
    kind: 'gauge',
    name: 'sealift_database_pool_waiting',
    help: 'Queries that wait for a connection.',
    labels: [],
  },
  lostWrites: {
    kind: 'gauge',
    name: 'sealift_database_lost_writes',
    help: '1 while changes are refused because a failover of Postgres lost acknowledged changes.',
    labels: [],
  },
  scrapeFailures: {
    kind: 'counter',
    name: 'sealift_scrape_failures_total',
    help: 'Values that could not be read for a scrape; it lacks their gauges.',
    labels: ['reading'],
  },
} as const satisfies Record<string, MetricDefinition>;

export type MetricKey = keyof typeof definitions;
