import { createHash } from 'node:crypto';
import type { Call } from './client.ts';
import type { Cloud3SmSettings } from './destination.ts';
import type { Operation } from './failures.ts';
import type { Unsettled } from './unsettled.ts';

/** The store as one verb uses it. */
export type OpenStore = {
  /** Ends with the signal of the verb. */
  invoke: <Output>(operation: Operation, call: Call<Output>) => Promise<Output>;
  projectId: string;
  /** Who has the rights in the project, as the beginning of a sentence. */
  holder: string;
  /** The value of our label. */
  mark: string;
  settings: Cloud3SmSettings;
  unsettled: Unsettled;
};

/** The name of a secret in the API. */
export function secretPath({ projectId }: Pick<OpenStore, 'projectId'>, name: string): string {
  return `projects/${projectId}/secrets/${name}`;
}

/**
 * The id of an installation as a label's value, or its hash if the id has characters that labels cannot hold, or more
 * than 63.
 */
export function toLabel(installation: string): string {
  if (/^[a-z0-9_-]{1,63}$/.test(installation)) return installation;
  return createHash('sha256').update(installation).digest('hex').slice(0, 63);
}
