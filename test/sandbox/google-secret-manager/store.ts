import { randomBytes } from 'node:crypto';

export type VersionState = 'ENABLED' | 'DISABLED' | 'DESTROYED';
export type Version = { number: number; data: Buffer; state: VersionState; createdAt: Date; etag: string };

export type Secret = {
  project: string;
  name: string;
  labels: Record<string, string>;
  /** The labels before the last change, for stale reads. */
  labelsBefore: Record<string, string>;
  replication: object;
  versions: Version[];
  createdAt: Date;
  etag: string;
};

export type Store = ReturnType<typeof createStore>;

export const newEtag = () => `"${randomBytes(7).toString('hex')}"`;

/** The secrets of all projects. */
export function createStore() {
  const secrets = new Map<string, Secret>();

  return {
    find: (project: string, name: string): Secret | undefined => secrets.get(`${project}/${name}`),
    add(project: string, name: string): Secret {
      const secret: Secret = {
        project,
        name,
        labels: {},
        labelsBefore: {},
        replication: { automatic: {} },
        versions: [],
        createdAt: new Date(),
        etag: newEtag(),
      };
      secrets.set(`${project}/${name}`, secret);
      return secret;
    },
    drop: ({ project, name }: Secret) => void secrets.delete(`${project}/${name}`),
    all: () => [...secrets.values()],
    clear: () => secrets.clear(),
  };
}

/** Appends a version. Version numbers are never reused. */
export function appendVersion(secret: Secret, data: Buffer): Version {
  const version: Version = {
    number: secret.versions.length + 1,
    data,
    state: 'ENABLED',
    createdAt: new Date(),
    etag: newEtag(),
  };
  secret.versions.push(version);
  return version;
}

/** Google's replies use the project's number, even if the call used its id. */
export function projectNumber(project: string): string {
  let sum = 7;
  for (const character of project) sum = (sum * 31 + character.charCodeAt(0)) % 899_999_999;
  return String(100_000_000 + sum);
}
