import type { Commands } from '../../commands/commands.ts';
import { withTimeout } from '../../time/with-timeout.ts';
import type { WorkerReport } from './broker.ts';
import { warning, type Finding } from './finding.ts';

const LIMIT_MS = 1500;
const ADVICE =
  'set ISSUER_URL to the same value for all processes, and restart those that differ; docs/identity.md says what moving it means';

type Issuer = { address: string; isSet: boolean };

/**
 * Whether the workers of each type sign identity tokens for the issuer that stores must trust. `stated`: that issuer, and who
 * says so; null: unknown, so the workers are compared with one another. A worker without an issuer refuses to sign, which
 * matters only where identity tokens are in use: ISSUER_URL is then set.
 */
export async function examineIssuers(
  stated: (Issuer & { by: string }) | null,
  commands: Pick<Commands, 'call'>,
  workers: WorkerReport[] | null,
): Promise<Finding[]> {
  const running = (workers ?? []).filter(({ type, running: count }) => type !== null && count > 0);
  const answers = await Promise.all(
    running.map(async ({ name, type }) => {
      const answer = commands.call(`connector.${type}`, 'issuer', null, { timeoutMs: LIMIT_MS });
      const issuer = await withTimeout(LIMIT_MS, answer).catch(() => null);
      return issuer === null ? [] : [{ name, ...issuer }];
    }),
  );
  const found = answers.flat();
  const first = found.find(({ address }) => address !== '');
  const right = stated ?? (first && { ...first, by: first.name });
  return found
    .filter((issuer) => right !== undefined && differs(issuer, right))
    .map(({ name, address }) => {
      const own = address === '' ? 'can sign no identity tokens' : `signs identity tokens as ${address}`;
      return warning('issuer', `${name} ${own}, but ${right?.by} says ${right?.address}`, ADVICE);
    });
}

function differs(there: Issuer, right: Issuer): boolean {
  return there.address === '' ? right.isSet : there.address !== right.address;
}
