import { notFound, unprocessable } from '../../../../libs/errors/request-error.ts';
import {
  addVersionUsage,
  removeVersionUsage,
  type UsageKind,
} from '../../../../libs/store/policy-engine-versions/usages.ts';
import { findVersion } from '../../../../libs/store/policy-engine-versions/versions.ts';
import { endpoint, noContent, type Endpoint } from '../../routing/endpoint.ts';

const PATH = '/api/v2/admin/policy-engine-versions/:id/usages/:kind/:usageId';

const LONGEST_ID = 255;

/** By which other services tell what uses a version: a used one cannot be deleted. */
export const versionUsageEndpoints: Endpoint[] = [
  endpoint({
    method: 'PUT',
    path: PATH,
    access: 'policy',
    summary: 'Tell that a workspace or policy set uses a version',
    handle: async ({ params, services }) => {
      if (!(await addVersionUsage(services.db, usageOf(params)))) throw notFound();
      return noContent();
    },
  }),
  endpoint({
    method: 'DELETE',
    path: PATH,
    access: 'policy',
    summary: 'Tell that a workspace or policy set no longer uses a version',
    handle: async ({ params, services }) => {
      const usage = usageOf(params);
      if (!(await findVersion(services.db, usage.versionId))) throw notFound();
      await removeVersionUsage(services.db, usage);
      return noContent();
    },
  }),
];

function usageOf(params: Record<string, string>): { versionId: string; kind: UsageKind; usageId: string } {
  const { id: versionId = '', kind, usageId = '' } = params;
  if (kind !== 'workspaces' && kind !== 'policy-sets') throw notFound();
  if (usageId.length > LONGEST_ID)
    throw unprocessable({ detail: `the id is longer than ${LONGEST_ID} characters` });
  return { versionId, kind, usageId };
}
