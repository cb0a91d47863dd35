import { Type, type Static } from 'typebox';
import type { Problem } from '../errors/request-error.ts';
import { flag, optionalText, secret } from './attributes.ts';
import { attributeProblem, defineSettings } from './definition.ts';

const schema = Type.Object({
  enabled: flag(false),
  'aws-access-key-id': optionalText(),
  'aws-secret-key': secret(),
  'aws-enabled': flag(false),
  'aws-instance-profile-enabled': flag(false),
  'gcp-credentials': secret(),
  'gcp-enabled': flag(false),
  'azure-enabled': flag(false),
  'azure-client-id': optionalText(),
  'azure-client-secret': secret(),
  'azure-subscription-id': optionalText(),
  'azure-tenant-id': optionalText(),
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
      .map((name) => attributeProblem(name, `is required beside ${set.filter(isSet).join(', ')}`)),
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
