import type { ClusterAccess, ClusterTrial } from '../../../libs/commands/key-maintenance-commands.ts';
import type { MaintenanceServices } from '../job.ts';
import { findAsker } from './asker.ts';
import { callCluster, ClusterError } from './call.ts';
import { holdBack } from './hold-back.ts';

/**
 * Whether the API server of a cluster answers. No token is sent, so a refusal is an answer too. Never throws for what the
 * cluster does.
 */
export async function tryCluster(
  { config }: Pick<MaintenanceServices, 'config'>,
  request: ClusterAccess,
): Promise<ClusterTrial> {
  const { cluster } = await findAsker(config, request);
  try {
    await holdBack(request.host, () => callCluster(cluster, { path: '/version' }));
    return { ok: true, detail: '' };
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    return { ok: false, detail: error.message, isUntrusted: error.isUntrusted };
  }
}
