import { DescribeSecretCommand } from '@aws-sdk/client-secrets-manager';
import type { Found } from '../../../libs/connector/contract.ts';
import { ConnectorError } from '../../../libs/connector/errors.ts';
import type { Invoke } from './client.ts';
import type { Deletions } from './deletions.ts';
import type { Cloud1SmSettings } from './destination.ts';
import { readOwner, type Tag } from './owner-tag.ts';

/** What the verbs work with. */
export type Tools = {
  invoke: Invoke;
  installation: string;
  settings: Cloud1SmSettings;
  deletions: Deletions;
};

export type SecretState = {
  arn: string | null;
  owner: Found['owner'];
  tags: Tag[];
  changedAt: Date | null;
  /** It waits for its deletion: its name is taken, its value cannot be read. */
  isScheduledForDeletion: boolean;
};

/** Whether an error carries this code of the failure table. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof ConnectorError && error.code === code;
}

/** Whether an error says that there is no such secret. */
export function isMissing(error: unknown): boolean {
  return error instanceof ConnectorError && error.kind === 'missing';
}

/** A secret without its value; null where there is none. It answers for secrets that wait for their deletion too. */
export async function describeSecret(
  { invoke, installation }: Tools,
  name: string,
  signal: AbortSignal,
): Promise<SecretState | null> {
  try {
    const output = await invoke(new DescribeSecretCommand({ SecretId: name }), signal);
    return {
      arn: output.ARN ?? null,
      owner: readOwner(output.Tags, installation),
      tags: output.Tags ?? [],
      changedAt: output.LastChangedDate ?? null,
      isScheduledForDeletion: output.DeletedDate !== undefined,
    };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
