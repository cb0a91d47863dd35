import type { Commands } from '../../commands/commands.ts';
import { issuerOf, type Config } from '../../config/config.ts';
import { withTimeout } from '../../time/with-timeout.ts';
import type { WorkerReport } from './broker.ts';
import { warning, type Finding } from './finding.ts';

const LIMIT_MS = 1500;

/**
 * Whether the workers of each type sign identity tokens for the issuer of this process, which is the one that people write
 * into the trusts of stores. Says nothing where ISSUER_URL is set on neither side, or where no worker answers.
 */
export async function examineIssuers(
  config: Config,
  commands: Pick<Commands, 'call'>,
  workers: WorkerReport[] | null,
): Promise<Finding[]> {
  const here = issuerOf(config);
  const running = (workers ?? []).filter(({ type, running: count }) => type !== null && count > 0);
  const findings = await Promise.all(
    running.map(async ({ name, type }): Promise<Finding[]> => {
      const answer = commands.call(`connector.${type}`, 'issuer', null, { timeoutMs: LIMIT_MS });
      const there = await withTimeout(LIMIT_MS, answer).catch(() => here);
      if (there.address === here.address || !(there.isSet || here.isSet)) return [];
      return [
        warning(
          'issuer',
          `${name} signs identity tokens as ${there.address}, but this process tells people ${here.address}`,
          'set ISSUER_URL to the same value for all processes, and restart those that differ; docs/identity.md says what moving it means',
        ),
      ];
    }),
  );
  return findings.flat();
}
