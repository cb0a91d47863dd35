import { randomUUID } from 'node:crypto';
import { productionHidden } from './read.ts';
import type { Tools } from './tools.ts';

/**
 * Lists the variables, which proves token, team and project; then deletes an id that cannot exist, since nothing but a
 * write tells whether the token may write.
 */
export async function checkAccess(tools: Tools, signal: AbortSignal): Promise<void> {
  const { isProductionHidden } = await tools.project.list(signal);
  if (isProductionHidden && tools.settings.deployment_environments.includes('production'))
    throw productionHidden(tools);
  await tools.project.remove(`sealift-check-${randomUUID()}`, signal);
}
