import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../../db/connect.ts';

/** The rule that a maintenance worker's environment gives; the address of its webhook is a secret. */
export type EnvironmentRule = { webhook: boolean; addresses: string[]; minutes: number };

const NAME = 'environment';

/** What a worker noted last; undefined if its environment names nobody. */
export async function readEnvironmentRule(db: Database): Promise<EnvironmentRule | undefined> {
  const row: { value: EnvironmentRule } | undefined = await db('notify_state')
    .where({ name: NAME })
    .first('value');
  return row?.value;
}

/** Notes it for those who read the rules. Returns the number of changes. */
export async function noteEnvironmentRule(
  transaction: Database,
  rule: EnvironmentRule | undefined,
): Promise<number> {
  const noted = await readEnvironmentRule(transaction);
  if (isDeepStrictEqual(noted, rule)) return 0;
  if (rule === undefined) return transaction('notify_state').where({ name: NAME }).delete();
  await transaction('notify_state')
    .insert({ name: NAME, value: JSON.stringify(rule) })
    .onConflict('name')
    .merge();
  return 1;
}
