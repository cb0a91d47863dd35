import type { ClusterAccess } from '../../../libs/commands/key-maintenance-commands.ts';
import { listSetting, readEnvironment } from '../../../libs/config/config.ts';
import { operatorSettings } from '../../../libs/connector/operator.ts';
import type { MaintenanceServices } from '../job.ts';
import type { AskedCluster } from './call.ts';
import { findOwnAccount, OWN_ACCOUNT, type OwnPod } from './own-account.ts';

const OWN_POD: OwnPod = { environment: readEnvironment, directory: OWN_ACCOUNT };

/** Which cluster is asked, and with which token: the reviewer's, or that of the worker's own pod; undefined: with none. */
export async function findAsker(
  config: MaintenanceServices['config'],
  { host, ca, reviewer, isOwnForbidden, namespace }: ClusterAccess,
  pod = OWN_POD,
): Promise<{ cluster: AskedCluster; bearer: string | undefined }> {
  const mayBeOwn = !isOwnForbidden && !operatorSettings(config, namespace, pod.environment).forbidsAmbient;
  const own = reviewer === null && mayBeOwn ? await findOwnAccount(host, pod) : undefined;
  const cluster = {
    host,
    ca: own?.ca ?? ca,
    isOwn: own !== undefined,
    egressAllow: listSetting(config.EGRESS_ALLOW),
  };
  return { cluster, bearer: reviewer ?? own?.token };
}
