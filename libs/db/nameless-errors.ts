// Knex puts the statement before the message.
const CODES: [RegExp, string][] = [
  [/(?:^| - )(?:timeout expired|Postgres does not answer)/, 'ETIMEDOUT'],
  [
    /(?:^| - )(?:Connection terminated|Client (?:has encountered a connection error|was closed))/,
    'ECONNRESET',
  ],
  [/^The server does not support SSL connections/, 'NO_TLS'],
  [/^(?:received invalid response|There was an error establishing an SSL connection)/, 'NO_POSTGRES'],
];

/** The code of an error of the driver that has only a text; empty if it is none of those that we know. */
export function namelessCode({ message }: Error): string {
  return CODES.find(([pattern]) => pattern.test(message))?.[1] ?? '';
}
