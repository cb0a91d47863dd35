import { Type, type Static } from 'typebox';
import type { Problem } from '../errors/request-error.ts';
import { flag, optionalText, secret, stored } from './attributes.ts';
import { attributeProblem, defineSettings } from './definition.ts';

const schema = Type.Object({
  enabled: stored(
    flag(
      'Let organizations estimate costs. This needs the complete credentials of at least one cloud.',
      false,
    ),
  ),
  'aws-access-key-id': stored(optionalText('Access key id for the price list of AWS.')),
  'aws-secret-key': stored(secret('Secret key that belongs to `aws-access-key-id`.')),
  'aws-enabled': stored(flag('Estimate the costs of resources at AWS.', false)),
  'aws-instance-profile-enabled': stored(
    flag("Use the machine's own AWS identity; then no keys are needed.", false),
  ),
  'gcp-credentials': stored(secret('JSON of a service account key for the price list of Google Cloud.')),
  'gcp-enabled': stored(flag('Estimate the costs of resources at Google Cloud.', false)),
  'azure-enabled': stored(flag('Estimate the costs of resources at Azure.', false)),
  'azure-client-id': stored(optionalText('Client id for the price list of Azure.')),
  'azure-client-secret': stored(secret('Client secret that belongs to `azure-client-id`.')),
  'azure-subscription-id': stored(optionalText('Subscription id for the price list of Azure.')),
  'azure-tenant-id': stored(optionalText('Tenant id for the price list of Azure.')),
});

type CostEstimation = Static<typeof schema>;

/** Attributes that belong together: a set counts only if it is complete. */
const SETS: (keyof CostEstimation)[][] = [
  ['aws-access-key-id', 'aws-secret-key'],
  ['gcp-credentials'],
  ['azure-client-id', 'azure-client-secret', 'azure-subscription-id', 'azure-tenant-id'],
];

/** Credentials for the vendors' price lists; they are stored, not tried. */
export const costEstimationSettings = defineSettings({
  kind: 'cost-estimation',
  type: 'cost-estimation-settings',
  schema,
  masksSecrets: true,
  findProblems: (document) => {
    if (!document.enabled) return [];
    const problems = isServiceAccountKey(document['gcp-credentials'])
      ? []
      : [attributeProblem('gcp-credentials', 'must be the JSON of a service account key')];
    return [...problems, ...findIncomplete(document)];
  },
});

function findIncomplete(document: CostEstimation): Problem[] {
  const isSet = (name: keyof CostEstimation) => Boolean(document[name]);
  if (document['aws-instance-profile-enabled'] || SETS.some((set) => set.every(isSet))) return [];
  const begun = SETS.filter((set) => set.some(isSet));
  if (begun.length === 0) {
    return [attributeProblem('enabled', 'requires a complete set of credentials of at least one cloud')];
  }
  return begun.flatMap((set) =>
    set
      .filter((name) => !isSet(name))
      .map((name) => attributeProblem(name, `is required together with ${set.filter(isSet).join(', ')}`)),
  );
}

function isServiceAccountKey(value: string | null): boolean {
  if (!value) return true;
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  } catch {
    return false;
  }
}
