import { DescribeSecretCommand, type ReplicationStatusType } from '@aws-sdk/client-secrets-manager';
import type { Found } from '../../../libs/connector/contract.ts';
import { orNull } from '../../../libs/connector/errors.ts';
import { ownerOf, type Tags, withOwnerTag } from '../../../libs/connector/owner.ts';
import type { Send } from './client.ts';
import type { Deletions } from './deletions.ts';
import type { Cloud1SmSettings } from './destination.ts';

/** The store as one verb uses it; `send` ends with the signal of the verb. */
export type OpenStore = {
  send: Send;
  installation: string;
  settings: Cloud1SmSettings;
  deletions: Deletions;
};

export type SecretState = {
  arn: string | null;
  owner: Found['owner'];
  tags: Tags;
  createdAt: Date | null;
  changedAt: Date | null;
  /** It waits for its deletion: its name is taken, but its value cannot be read. */
  isScheduledForDeletion: boolean;
  replicas: ReplicationStatusType[];
};

/** A secret without its value; null if there is none. Also finds secrets that wait for their deletion. */
export async function describeSecret(store: OpenStore, name: string): Promise<SecretState | null> {
  const output = await orNull(store.send(new DescribeSecretCommand({ SecretId: name })));
  if (!output) return null;
  const tags = Object.fromEntries((output.Tags ?? []).map(({ Key = '', Value = '' }) => [Key, Value]));
  return {
    arn: output.ARN ?? null,
    owner: ownerOf(tags, store.installation),
    tags,
    createdAt: output.CreatedDate ?? null,
    changedAt: output.LastChangedDate ?? null,
    isScheduledForDeletion: output.DeletedDate !== undefined,
    replicas: output.ReplicationStatus ?? [],
  };
}

/** Tags in the form of the API, with our mark. */
export function toTags(tags: Tags, installation: string): { Key: string; Value: string }[] {
  return Object.entries(withOwnerTag(tags, installation)).map(([Key, Value]) => ({ Key, Value }));
}
