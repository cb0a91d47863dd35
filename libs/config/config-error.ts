/** All faults of the configuration, one sentence each; thrown before anything connects. */
export class ConfigError extends Error {
  readonly faults: string[];
  constructor(faults: string[]) {
    super(`The configuration is not valid:\n- ${faults.join('\n- ')}`);
    this.name = 'ConfigError';
    this.faults = faults;
  }
}
