import { isOneSlip } from '../validation/one-slip.ts';
import { clientSchema } from './client.ts';
import { configSchema } from './schema.ts';

const OURS = /^SEALIFT_/;
// Read where they are needed, or by the local servers and the examples of deployment.
const KNOWN_ELSEWHERE = new Set([
  'SEALIFT_ADDR',
  'SEALIFT_AZURE_AUTHORITY_HOST',
  'SEALIFT_IMAGE',
  'SEALIFT_PASSWORD',
  'SEALIFT_POSTGRES_PORT',
  'SEALIFT_RABBITMQ_PORT',
]);
// Kubernetes tells each pod the addresses of all services, such as one with the name "sealift".
const OF_KUBERNETES = /_(SERVICE_(HOST|PORT\w*)|PORT(_\d+_(TCP|UDP)\w*)?)$/;
// Much shorter names resemble too many others.
const LEAST_LENGTH = 5;

const names = [...Object.keys(configSchema.properties), ...Object.keys(clientSchema.properties)];
const known = new Set([...names, ...KNOWN_ELSEWHERE]);

/** A variable that is probably a misspelled setting; `meant` is the setting that it resembles. */
export type UnknownSetting = { name: string; meant: string | null };

/** Variables that begin as ours do, or are one slip away from a setting that is not set. Their values are not looked at. */
export function unknownSettings(environment: NodeJS.ProcessEnv = process.env): UnknownSetting[] {
  const unset = names.filter((name) => name.length >= LEAST_LENGTH && !environment[name]);
  return Object.keys(environment).flatMap((name) => {
    if (known.has(name) || OF_KUBERNETES.test(name)) return [];
    const meant = unset.find((setting) => isOneSlip(name, setting)) ?? null;
    return meant !== null || OURS.test(name) ? [{ name, meant }] : [];
  });
}
