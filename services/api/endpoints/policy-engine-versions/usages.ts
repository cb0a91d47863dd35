import { notFound, unprocessable } from '../../../../libs/errors/request-error.ts';
import {
  addPolicyEngineVersionUsage,
  removePolicyEngineVersionUsage,
  type PolicyEngineVersionUsage,
} from '../../../../libs/store/policy-engine-versions/usages.ts';
import {
  COLLECTIONS,
  findPolicyEngineVersion,
  type Collection,
} from '../../../../libs/store/policy-engine-versions/policy-engine-versions.ts';
import { endpoint, noContent, type Endpoint } from '../../routing/endpoint.ts';

const LONGEST_ID = 255;

/** Other services report here what uses a version. A used version cannot be deleted. */
export const policyEngineVersionUsageEndpoints: Endpoint[] = COLLECTIONS.flatMap(endpointsOf);

function endpointsOf(collection: Collection): Endpoint[] {
  const path = `/api/v2/admin/${collection}/:id/usages/:kind/:usageId`;
  return [
    endpoint({
      method: 'PUT',
      path,
      access: 'policy',
      summary: 'Record that a workspace or policy set uses a version',
      answers: { 204: {} },
      handle: async ({ params, services }) => {
        if (!(await addPolicyEngineVersionUsage(services.db, usageOf(collection, params)))) throw notFound();
        return noContent();
      },
    }),
    endpoint({
      method: 'DELETE',
      path,
      access: 'policy',
      summary: 'Record that a workspace or policy set no longer uses a version',
      answers: { 204: {} },
      handle: async ({ params, services }) => {
        const usage = usageOf(collection, params);
        if (!(await findPolicyEngineVersion(services.db, usage.policyEngineVersion))) throw notFound();
        await removePolicyEngineVersionUsage(services.db, usage);
        return noContent();
      },
    }),
  ];
}

function usageOf(collection: Collection, params: Record<string, string>): PolicyEngineVersionUsage {
  const { id = '', kind, usageId = '' } = params;
  if (kind !== 'workspaces' && kind !== 'policy-sets') throw notFound();
  if (usageId.length > LONGEST_ID)
    throw unprocessable({ detail: `the id is longer than ${LONGEST_ID} characters` });
  return { policyEngineVersion: { collection, id }, kind, usageId };
}
