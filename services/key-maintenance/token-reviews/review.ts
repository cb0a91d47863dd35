import type { ReviewRequest, ReviewResult } from '../../../libs/commands/key-maintenance-commands.ts';
import { listSetting, readEnvironment } from '../../../libs/config/config.ts';
import { operatorSettings } from '../../../libs/connector/operator.ts';
import type { MaintenanceServices } from '../job.ts';
import { askCluster, ReviewError } from './ask.ts';
import { holdBack } from './hold-back.ts';
import { findOwnAccount, OWN_ACCOUNT, type OwnPod } from './own-account.ts';

const OWN_POD: OwnPod = { environment: readEnvironment, directory: OWN_ACCOUNT };

/** Asks a cluster whether a token is valid. Never throws for what the cluster does. `pod`: where the worker itself runs. */
export async function reviewToken(
  { config }: Pick<MaintenanceServices, 'config'>,
  { host, ca, token, audiences, reviewer, isOwnForbidden, namespace }: ReviewRequest,
  pod: OwnPod = OWN_POD,
): Promise<ReviewResult> {
  const mayBeOwn = !isOwnForbidden && !operatorSettings(config, namespace, pod.environment).forbidsAmbient;
  const own = reviewer === null && mayBeOwn ? await findOwnAccount(host, pod) : undefined;
  const bearer = reviewer ?? own?.token ?? token;
  const cluster = { host, ca: own?.ca ?? ca, egressAllow: listSetting(config.EGRESS_ALLOW) };
  try {
    return await holdBack(host, () => askCluster(cluster, { bearer, token, audiences }));
  } catch (error) {
    if (!(error instanceof ReviewError)) throw error;
    return { outcome: error.outcome, detail: error.message, username: '', uid: '', audiences: [] };
  }
}
