import { randomUUID } from 'node:crypto';
import { limitExceeded, tokenInUse } from './vendor-error.ts';

export const DAY_MS = 24 * 3600 * 1000;
const MOST_VERSIONS = 100;

/** `text` is absent if the version holds binary data. */
export type SecretContent = { text?: string; binary?: string };
export type Version = { id: string; content: SecretContent; createdAt: number; stages: string[] };

export type Secret = {
  name: string;
  arn: string;
  region: string;
  tags: Map<string, string>;
  /** The tags before the last change, for stale reads. */
  tagsBefore: Map<string, string>;
  versions: Map<string, Version>;
  kmsKeyId: string | undefined;
  /** By region. A `Failed` one is no replica: the region had a secret of that name. */
  replicas: Map<string, { kmsKeyId: string; status: 'InSync' | 'Failed' }>;
  description: string | undefined;
  createdAt: number;
  changedAt: number;
  /** The time of the delete call. */
  deletedAt: number | null;
  /** The time when the name becomes free. */
  purgeAt: number;
  /** A forced deletion that is under way cannot be undone. With `hidden`, the entry is no longer shown either. */
  forced: 'no' | 'visible' | 'hidden';
};

export type Store = ReturnType<typeof createStore>;

/**
 * The secrets of all regions, each region separate: `eu-west-1`, or `eu-west-1/111111111111` for a non-default account.
 * The clock can be moved forward.
 */
export function createStore() {
  const secrets = new Map<string, Secret>();
  let clockOffsetMs = 0;
  const now = () => Date.now() + clockOffsetMs;

  return {
    now,
    advance(ms: number) {
      clockOffsetMs += ms;
    },
    find(region: string, name: string): Secret | undefined {
      const secret = secrets.get(`${region} ${name}`);
      if (!secret || secret.deletedAt === null || secret.purgeAt > now()) return secret;
      secrets.delete(`${region} ${name}`);
      return undefined;
    },
    /** The secret of another region that has a replica with this name here. */
    findPrimary: (region: string, name: string): Secret | undefined =>
      [...secrets.values()].find(
        (secret) => secret.name === name && secret.replicas.get(region)?.status === 'InSync',
      ),
    /** True if the ARN belongs to the account of the region. */
    isAccountOf: (region: string, arn: string) => arn.split(':')[4] === accountOf(region),
    add(region: string, name: string): Secret {
      const suffix = randomUUID().replace(/-/g, '').slice(0, 6);
      const [place] = region.split('/');
      const account = accountOf(region);
      const secret: Secret = {
        name,
        arn: `arn:aws:secretsmanager:${place}:${account}:secret:${name}-${suffix}`,
        region,
        tags: new Map(),
        tagsBefore: new Map(),
        versions: new Map(),
        kmsKeyId: undefined,
        replicas: new Map(),
        description: undefined,
        createdAt: now(),
        changedAt: now(),
        deletedAt: null,
        purgeAt: Infinity,
        forced: 'no',
      };
      secrets.set(`${region} ${name}`, secret);
      return secret;
    },
    drop(secret: Secret) {
      secrets.delete(`${secret.region} ${secret.name}`);
    },
    all: () => [...secrets.values()],
    clear() {
      secrets.clear();
      clockOffsetMs = 0;
    },
  };
}

function accountOf(region: string): string {
  return region.split('/')[1] ?? '123456789012';
}

/** The name in an ARN. The ARN ends in a hyphen and six letters, which are new for each create. */
export function nameOf(arn: string): string {
  return arn.split(':').slice(6).join(':').slice(0, -7);
}

/** The version with this staging label. */
export function versionAt(secret: Secret, stage: string): Version | undefined {
  for (const version of secret.versions.values()) if (version.stages.includes(stage)) return version;
  return undefined;
}

function makeRoom(secret: Secret, now: number): void {
  if (secret.versions.size < MOST_VERSIONS) return;
  for (const version of secret.versions.values()) {
    if (version.stages.length > 0 || now - version.createdAt < DAY_MS) continue;
    secret.versions.delete(version.id);
    if (secret.versions.size < MOST_VERSIONS) return;
  }
  throw limitExceeded('You have reached the maximum number of versions for this secret.');
}

/** Adds a version and makes it the current one. A known token with the same content changes nothing. */
export function addVersion(
  secret: Secret,
  addition: { token: string; content: SecretContent; now: number; isLimited: boolean },
): Version {
  const { token, content, now } = addition;
  const known = secret.versions.get(token);
  if (known) {
    const isSame = known.content.text === content.text && known.content.binary === content.binary;
    if (!isSame) throw tokenInUse(token, secret.arn);
    return known;
  }
  if (addition.isLimited) makeRoom(secret, now);
  const current = versionAt(secret, 'AWSCURRENT');
  if (current) {
    const previous = versionAt(secret, 'AWSPREVIOUS');
    if (previous) previous.stages = previous.stages.filter((stage) => stage !== 'AWSPREVIOUS');
    current.stages = ['AWSPREVIOUS'];
  }
  const version: Version = { id: token, content, createdAt: now, stages: ['AWSCURRENT'] };
  secret.versions.set(token, version);
  secret.changedAt = now;
  return version;
}
