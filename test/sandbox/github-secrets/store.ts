import type { PlantedEntry, StoredEntry } from '../fake-server.ts';
import { createSealingKey, type SealingKey } from './sealed-box.ts';

export const MOST_SECRETS = 100;

export type Secret = {
  value: string | null;
  createdAt: Date;
  updatedAt: Date;
  /** Null if the secret was never replaced. */
  updatedBefore: Date | null;
  writes: number;
};

/** One repository, or one of its environments: its key and its secrets. */
export type Scope = { key: SealingKey; secrets: Map<string, Secret> };

type Repository = {
  fullName: string;
  scope: Scope;
  environments: Map<string, Scope>;
  movedTo: string | null;
};

export type Store = ReturnType<typeof createStore>;

/**
 * The repositories of the sandbox. Each name below the owner `acme` exists as soon as a call uses it, with the
 * environments `production` and `review/preview`. Other owners have no repositories.
 */
export function createStore() {
  let repositories = new Map<string, Repository>();
  let removed = new Set<string>();

  function find(owner: string, name: string): Repository | undefined {
    const id = `${owner}/${name}`.toLowerCase();
    if (owner.toLowerCase() !== 'acme' || removed.has(id)) return undefined;
    let repository = repositories.get(id);
    if (!repository) {
      repository = {
        fullName: `${owner}/${name}`,
        scope: createScope(),
        environments: new Map([
          ['production', createScope()],
          ['review/preview', createScope()],
        ]),
        movedTo: null,
      };
      repositories.set(id, repository);
    }
    return repository;
  }

  function require(fullName: string): Repository {
    const [owner = '', name = ''] = fullName.split('/');
    const repository = find(owner, name);
    if (!repository) throw new Error(`the sandbox has no repository ${fullName}`);
    return repository;
  }

  return {
    find,
    scopeOf: (repository: Repository, environment: string | null): Scope | undefined =>
      environment === null ? repository.scope : repository.environments.get(environment.toLowerCase()),
    rotateKey: (fullName: string, environment: string | null = null): void => {
      const repository = require(fullName);
      const scope = environment === null ? repository.scope : repository.environments.get(environment);
      if (scope) scope.key = createSealingKey();
    },
    rename: (fullName: string, newName: string): void => {
      require(fullName).movedTo = newName;
    },
    removeRepository: (fullName: string) => void removed.add(fullName.toLowerCase()),
    removeEnvironment: (fullName: string, name: string) => void require(fullName).environments.delete(name),
    plant: (entry: PlantedEntry): void => {
      const repository = require((entry['repository'] as string | undefined) ?? 'acme/web');
      const environment = entry['environment'] as string | undefined;
      const scope = environment ? repository.environments.get(environment) : repository.scope;
      if (!scope) return;
      const name = entry.name.toUpperCase();
      writeSecret(scope, name, entry.value ?? null);
      const secret = scope.secrets.get(name);
      if (secret && typeof entry['createdAt'] === 'string') secret.createdAt = new Date(entry['createdAt']);
    },
    discard: (name: string): void => {
      for (const { scope } of repositories.values()) scope.secrets.delete(name.toUpperCase());
    },
    entries: () => [...repositories.values()].flatMap(describe),
    reset() {
      repositories = new Map();
      removed = new Set();
    },
  };
}

/** Creates or replaces a secret. True if it is new. */
export function writeSecret(scope: Scope, name: string, value: string | null): boolean {
  const before = scope.secrets.get(name);
  const now = new Date();
  scope.secrets.set(name, {
    value,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
    updatedBefore: before?.updatedAt ?? null,
    writes: (before?.writes ?? 0) + 1,
  });
  return !before;
}

function createScope(): Scope {
  return { key: createSealingKey(), secrets: new Map() };
}

function describe(repository: Repository): StoredEntry[] {
  const scopes: [string | null, Scope][] = [[null, repository.scope], ...repository.environments];
  return scopes.flatMap(([environment, scope]) =>
    [...scope.secrets].map(([name, secret]) => ({
      name,
      value: secret.value,
      versions: secret.writes,
      repository: repository.fullName,
      environment,
    })),
  );
}
