import type { PlantedEntry, StoredEntry } from '../fake-server.ts';
import type { Route, Service } from './paths.ts';
import { createSealingKey, type SealingKey } from './sealed-box.ts';

export type Secret = {
  value: string | null;
  createdAt: Date;
  updatedAt: Date;
  /** Null if the secret was never replaced. */
  updatedBefore: Date | null;
  writes: number;
  /** Of an organization: who may read it. */
  readers?: Readers;
};

export type Readers = { visibility: string; repositoryIds: number[] };

/** What holds secrets: a repository for one service, one of its environments, or an organization for one service. */
export type Scope = {
  key: SealingKey;
  secrets: Map<string, Secret>;
  most: number;
  isOfOrganization: boolean;
};

type Scopes = Record<Service, Scope>;

type Repository = {
  id: number;
  fullName: string;
  scopes: Scopes;
  environments: Map<string, Scope>;
  movedTo: string | null;
};

export type Store = ReturnType<typeof createStore>;

/**
 * The repositories of the sandbox. Each name below the owner `acme` exists as soon as a call uses it, with the
 * environments `production` and `review/preview`. Other owners have no repositories. `acme` is the only organization.
 */
export function createStore() {
  let repositories = new Map<string, Repository>();
  let removed = new Set<string>();
  let organization = createScopes(true);
  let lastId = 1000;

  function find(owner: string, name: string): Repository | undefined {
    const id = `${owner}/${name}`.toLowerCase();
    if (owner.toLowerCase() !== 'acme' || removed.has(id)) return undefined;
    let repository = repositories.get(id);
    if (!repository) {
      repository = {
        id: (lastId += 1),
        fullName: `${owner}/${name}`,
        scopes: createScopes(false),
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
    organizationOf: (name: string): Scopes | undefined =>
      name.toLowerCase() === 'acme' ? organization : undefined,
    scopeOf: (
      repository: Repository,
      { environment, service }: Pick<Route, 'environment' | 'service'>,
    ): Scope | undefined =>
      environment === null
        ? repository.scopes[service]
        : repository.environments.get(environment.toLowerCase()),
    rotateKey: (fullName: string, environment: string | null = null): void => {
      const repository = require(fullName);
      const scope =
        environment === null ? repository.scopes.actions : repository.environments.get(environment);
      if (scope) scope.key = createSealingKey();
    },
    /** The repository gets another id, as one that is deleted and made anew. */
    remake: (fullName: string): void => {
      require(fullName).id = lastId += 1;
    },
    plantInOrganization: (name: string): void =>
      void writeSecret(organization.actions, name.toUpperCase(), null),
    rename: (fullName: string, newName: string): void => {
      require(fullName).movedTo = newName;
    },
    removeRepository: (fullName: string) => void removed.add(fullName.toLowerCase()),
    removeEnvironment: (fullName: string, name: string) => void require(fullName).environments.delete(name),
    plant: (entry: PlantedEntry): void => {
      const repository = require((entry['repository'] as string | undefined) ?? 'acme/web');
      const environment = entry['environment'] as string | undefined;
      const scope = environment ? repository.environments.get(environment) : repository.scopes.actions;
      if (!scope) return;
      const name = entry.name.toUpperCase();
      writeSecret(scope, name, entry.value ?? null);
      const secret = scope.secrets.get(name);
      if (secret && typeof entry['createdAt'] === 'string') secret.createdAt = new Date(entry['createdAt']);
    },
    discard: (name: string): void => {
      for (const { scopes } of repositories.values()) scopes.actions.secrets.delete(name.toUpperCase());
    },
    entries: (): StoredEntry[] => [
      ...[...repositories.values()].flatMap(describe),
      ...describeOrganization(organization, [...repositories.values()]),
    ],
    reset() {
      repositories = new Map();
      removed = new Set();
      organization = createScopes(true);
    },
  };
}

/** Creates or replaces a secret. True if it is new. */
export function writeSecret(scope: Scope, name: string, value: string | null, readers?: Readers): boolean {
  const before = scope.secrets.get(name);
  const now = new Date();
  scope.secrets.set(name, {
    value,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
    updatedBefore: before?.updatedAt ?? null,
    writes: (before?.writes ?? 0) + 1,
    ...(readers ? { readers } : {}),
  });
  return !before;
}

function createScope(most = 100, isOfOrganization = false): Scope {
  return { key: createSealingKey(), secrets: new Map(), most, isOfOrganization };
}

function createScopes(isOfOrganization: boolean): Scopes {
  const most = isOfOrganization ? 1000 : 100;
  return {
    actions: createScope(most, isOfOrganization),
    dependabot: createScope(most, isOfOrganization),
    codespaces: createScope(100, isOfOrganization),
  };
}

function describe({ fullName, scopes, environments }: Repository): StoredEntry[] {
  const ofServices = Object.entries(scopes).flatMap(([service, scope]) =>
    describeScope(scope, { repository: fullName, environment: null, service }),
  );
  const ofEnvironments = [...environments].flatMap(([environment, scope]) =>
    describeScope(scope, { repository: fullName, environment, service: 'actions' }),
  );
  return [...ofServices, ...ofEnvironments];
}

function describeOrganization(scopes: Scopes, repositories: Repository[]): StoredEntry[] {
  return Object.entries(scopes).flatMap(([service, scope]) =>
    describeScope(scope, { organization: 'acme', service }).map((entry) => {
      const { visibility, repositoryIds = [] } = scope.secrets.get(entry.name)?.readers ?? {};
      const readers = repositories.filter(({ id }) => repositoryIds.includes(id));
      return { ...entry, visibility, readers: readers.map(({ fullName }) => fullName) };
    }),
  );
}

function describeScope({ secrets }: Scope, place: object): StoredEntry[] {
  return [...secrets].map(([name, secret]) => ({
    name,
    value: secret.value,
    versions: secret.writes,
    ...place,
  }));
}
