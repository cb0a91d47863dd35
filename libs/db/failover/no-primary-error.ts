/** No host accepts changes now: each is unreachable, a standby, or writes a branch that was left. */
export class NoPrimaryError extends Error {
  constructor(reason: 'standby' | 'old branch') {
    super(
      reason === 'standby'
        ? 'postgres is a standby and takes no changes'
        : 'postgres writes a branch of the database that was left',
    );
    this.name = 'NoPrimaryError';
  }
}
