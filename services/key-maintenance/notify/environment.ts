import { listSetting, type Config } from '../../../libs/config/config.ts';
import type { Database } from '../../../libs/db/connect.ts';
import { noteEnvironmentRule } from '../../../libs/store/notifications/environment.ts';
import { channelsOf } from './channels.ts';

type Given = Pick<Config, 'NOTIFY_WEBHOOK_URL' | 'NOTIFY_EMAIL' | 'NOTIFY_FAILED_MINUTES'>;

/** Notes the rule of the environment, so that the API can show it. Returns the number of changes. */
export async function noteEnvironment(transaction: Database, config: Given): Promise<number> {
  const rule = {
    webhook: config.NOTIFY_WEBHOOK_URL !== '',
    addresses: [...new Set(listSetting(config.NOTIFY_EMAIL))],
    minutes: config.NOTIFY_FAILED_MINUTES,
  };
  return noteEnvironmentRule(transaction, channelsOf(config).length > 0 ? rule : undefined);
}
