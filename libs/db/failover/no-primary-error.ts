/** No host accepts changes now: each is unreachable, a standby, or writes a branch that was left. */
export class NoPrimaryError extends Error {
  constructor(reason: 'standby' | 'old branch') {
    super(
      reason === 'standby'
        ? 'Postgres is a standby and accepts no changes'
        : 'Postgres is a former primary: another server continues the database',
    );
    this.name = 'NoPrimaryError';
  }
}
