import { randomUUID } from 'node:crypto';
import { limitExceeded, tokenInUse } from './vendor-error.ts';

export const DAY_MS = 24 * 3600 * 1000;
const MOST_VERSIONS = 100;

/** `text` is absent where the version holds binary data. */
export type SecretContent = { text?: string; binary?: string };
export type Version = { id: string; content: SecretContent; createdAt: number; stages: string[] };

export type Secret = {
  name: string;
  arn: string;
  region: string;
  tags: Map<string, string>;
  /** As they were before the last change, for stale reads. */
  tagsBefore: Map<string, string>;
  versions: Map<string, Version>;
  kmsKeyId: string | undefined;
  /** By region. One that failed is none: a secret of that name was there. */
  replicas: Map<string, { kmsKeyId: string; status: 'InSync' | 'Failed' }>;
  description: string | undefined;
  createdAt: number;
  changedAt: number;
  /** When deletion was asked for. */
  deletedAt: number | null;
  /** When the name becomes free. */
  purgeAt: number;
  /** A forced deletion under way cannot be undone; `hidden` ones are no longer shown either. */
  forced: 'no' | 'visible' | 'hidden';
};

export type Store = ReturnType<typeof createStore>;

/**
 * The secrets of every region, apart: `eu-west-1`, or `eu-west-1/111111111111` in another account than the usual one. The
 * clock can be moved forward.
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
    /** The secret of another region that has a replica of that name here. */
    findPrimary: (region: string, name: string): Secret | undefined =>
      [...secrets.values()].find(
        (secret) => secret.name === name && secret.replicas.get(region)?.status === 'InSync',
      ),
    /** Whether an ARN is of the account that a region is seen with. */
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

/** The name in an ARN, which ends in a hyphen and six letters that differ for each creation. */
export function nameOf(arn: string): string {
  return arn.split(':').slice(6).join(':').slice(0, -7);
}

/** The version that bears the label. */
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

/** Adds a version and makes it the current one; a token seen before with the same content changes nothing. */
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
