import { randomBytes } from 'node:crypto';
import type { PlantedEntry, StoredEntry } from '../fake-server.ts';

/** A variable as the vendor stores it. */
export type Variable = {
  id: string;
  key: string;
  value: string;
  type: string;
  target: string[];
  gitBranch: string | null;
  customEnvironmentIds: string[];
  comment: string;
  createdAt: number;
  updatedAt: number;
  writes: number;
};

export type Project = {
  id: string;
  team: string;
  variables: Variable[];
  /** The rows that the last write changed, in the state before it; null for a new row. */
  before: Map<string, Variable | null>;
};

export type Store = ReturnType<typeof createStore>;

const TEAMS = new Set(['', 'team_acme']);

/**
 * The projects of the sandbox. Each `prj_…` of the token's own account and of `team_acme` exists as soon as a call uses
 * it, also under its name (without `prj_`).
 */
export function createStore() {
  let projects = new Map<string, Project>();
  let removed = new Set<string>();
  let isSensitiveEnforced = false;
  let clock = Date.now();

  function find(team: string, idOrName: string): Project | undefined {
    const id = idOrName.startsWith('prj_') ? idOrName : `prj_${idOrName}`;
    const key = `${team}/${id}`;
    if (!TEAMS.has(team) || removed.has(key)) return undefined;
    const project = projects.get(key) ?? { id, team, variables: [], before: new Map() };
    projects.set(key, project);
    return project;
  }

  // Each time is unique, because pages are split by time.
  function now(): number {
    clock = Math.max(clock + 1, Date.now());
    return clock;
  }

  function requireRow(id: string): Variable {
    const row = [...projects.values()].flatMap(({ variables }) => variables).find((one) => one.id === id);
    if (!row) throw new Error(`the sandbox has no variable ${id}`);
    return row;
  }

  return {
    find,
    now,
    hasTeam: (team: string) => TEAMS.has(team),
    keyOf: (id: string) =>
      [...projects.values()].flatMap(({ variables }) => variables).find((one) => one.id === id)?.key ?? null,
    change: (id: string, change: Partial<Content>): void => {
      Object.assign(requireRow(id), change, { updatedAt: now() });
    },
    drop: (id: string): void => {
      for (const project of projects.values())
        project.variables = project.variables.filter((one) => one.id !== id);
    },
    enforceSensitive: () => void (isSensitiveEnforced = true),
    /** Applies the team's policy to a row that is written: all rows except those for development become sensitive. */
    underPolicy: (content: Content): Content =>
      isSensitiveEnforced && !content.target.includes('development')
        ? { ...content, type: 'sensitive' }
        : content,
    removeProject: (id: string, team = '') => void removed.add(`${team}/${id}`),
    plant(entry: PlantedEntry): string {
      const project = find((entry['team'] as string) ?? '', (entry['project'] as string) ?? 'prj_web');
      if (!project) throw new Error('the sandbox has no such project');
      const content = contentToPlant(entry);
      // The vendor refuses another row there: people edit the one that they see.
      const there = entry['target']
        ? findOverlap(project, content)
        : project.variables.find(({ key }) => key === entry.name);
      if (there) {
        project.before = new Map([[there.id, { ...there }]]);
        Object.assign(there, contentToPlant({ ...there, ...entry }), {
          updatedAt: now(),
          writes: there.writes + 1,
        });
        return there.id;
      }
      const variable = createVariable(now(), content);
      project.before = new Map([[variable.id, null]]);
      project.variables.push(variable);
      return variable.id;
    },
    entries: (): StoredEntry[] => [...projects.values()].flatMap(describe),
    reset() {
      projects = new Map();
      removed = new Set();
      isSensitiveEnforced = false;
    },
  };
}

export type Content = Pick<
  Variable,
  'key' | 'value' | 'type' | 'target' | 'gitBranch' | 'customEnvironmentIds' | 'comment'
>;

function contentToPlant(entry: PlantedEntry): Content {
  return {
    key: entry.name,
    value: entry.value ?? '',
    type: (entry['type'] as string) ?? 'encrypted',
    target: (entry['target'] as string[]) ?? ['production'],
    gitBranch: (entry['gitBranch'] as string) ?? null,
    customEnvironmentIds: (entry['customEnvironmentIds'] as string[]) ?? [],
    comment: (entry['comment'] as string) ?? '',
  };
}

export function createVariable(time: number, content: Content): Variable {
  const id = randomBytes(9).toString('base64url').replaceAll(/[_-]/g, 'x');
  return { id, ...content, createdAt: time, updatedAt: time, writes: 1 };
}

/** Call it before a row is written. It keeps the state that `stale-read` shows afterwards. */
export function remember(project: Project, id: string, row: Variable | null): void {
  project.before.set(id, row && { ...row });
}

/** The rows in the state before the last write. */
export function readStale({ variables, before }: Project): Variable[] {
  const removed = [...before.values()].filter((row) => row && !variables.some(({ id }) => id === row.id));
  return [...variables.map((row) => (before.has(row.id) ? before.get(row.id) : row)), ...removed].filter(
    (row) => row !== null && row !== undefined,
  );
}

/** Another row with the same key for one of these environments. Each preview branch is an environment of its own. */
export function findOverlap(project: Project, content: Content, except?: string): Variable | undefined {
  return project.variables.find(
    (one) =>
      one.id !== except &&
      one.key === content.key &&
      one.gitBranch === content.gitBranch &&
      placesOf(one).some((place) => placesOf(content).includes(place)),
  );
}

/** True if both rows have exactly the same environments. */
export function isSamePlace(one: Content, other: Content): boolean {
  return placesOf(one).toSorted().join() === placesOf(other).toSorted().join();
}

function placesOf({ target, customEnvironmentIds }: Content): string[] {
  return [...target, ...customEnvironmentIds];
}

function describe({ id: project, team, variables }: Project): StoredEntry[] {
  return variables.map(
    ({ key, value, type, target, gitBranch, customEnvironmentIds, comment, id, writes }) => ({
      name: key,
      value,
      type,
      target,
      gitBranch,
      customEnvironmentIds,
      comment,
      id,
      project,
      team,
      versions: writes,
    }),
  );
}
