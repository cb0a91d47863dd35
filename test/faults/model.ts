import { Timeline } from './timeline.ts';

const KEPT_VERSIONS = 10;

type State = 'live' | 'deleted' | 'destroyed';

/** The wanted state of one secret, from all requests so far. */
export class SecretModel {
  readonly path: string;
  readonly versions = new Map<number, State>();
  /** All versions that stores were meant to hold, in order; null: no entry. */
  readonly wanted = new Timeline<number | null>(null);
  readonly #associations = new Map<string, Timeline<boolean>>();
  current = 0;

  constructor(path: string) {
    this.path = path;
  }

  /** The highest live version, which stores must hold; null: they must hold nothing. */
  desired(): number | null {
    for (let version = this.current; version > Math.max(0, this.current - KEPT_VERSIONS); version -= 1) {
      if (this.versions.get(version) === 'live') return version;
    }
    return null;
  }

  /** Versions in this state that can still be changed, newest first. */
  versionsIn(state: State): number[] {
    const oldest = this.current - KEPT_VERSIONS;
    return [...this.versions]
      .flatMap(([version, found]) => (found === state && version > oldest + 1 ? [version] : []))
      .reverse();
  }

  /** When the secret was associated with a destination. */
  associations(destination: string): Timeline<boolean> {
    const known = this.#associations.get(destination) ?? new Timeline(false);
    this.#associations.set(destination, known);
    return known;
  }

  /** Records a change before it is sent: from then on stores may have its result. Returns a function to acknowledge it. */
  begin(change: () => void): () => void {
    change();
    return this.wanted.begin(this.desired());
  }

  /** Saves the present state. The returned function restores it, like a failover that lost all later changes. */
  remember(): () => void {
    const { current } = this;
    const versions = new Map(this.versions);
    const associated = new Map(
      [...this.#associations].map(([name, association]) => [name, association.acknowledged()]),
    );
    return () => {
      this.begin(() => {
        this.current = current;
        this.versions.clear();
        for (const [version, state] of versions) this.versions.set(version, state);
      })();
      for (const [name, association] of this.#associations)
        association.begin(associated.get(name) ?? false)();
    };
  }

  /** Takes back a write that certainly did not happen. */
  withdraw(version: number): void {
    this.begin(() => {
      this.versions.delete(version);
      this.current = version - 1;
    })();
  }
}

/** The wanted names and tags of a destination. */
export class DestinationModel {
  readonly type: string;
  readonly name: string;
  policy: 'refuse' | 'overwrite' | 'adopt';
  /** The number in its entries' names. */
  readonly rounds = new Timeline(0);

  constructor({ type, name, policy }: Pick<DestinationModel, 'type' | 'name' | 'policy'>) {
    this.type = type;
    this.name = name;
    this.policy = policy;
  }

  /** The last acknowledged number. */
  get round(): number {
    return this.rounds.acknowledged();
  }
}

/** Saves everything that is acknowledged. The returned function restores it. */
export function remember({ secrets, destinations, admin }: Model): () => void {
  const restores = secrets.map((secret) => secret.remember());
  const rounds = destinations.map(({ round }) => round);
  const { footer } = admin;
  const kids = new Set(admin.kids);
  return () => {
    for (const restore of restores) restore();
    for (const [index, { rounds: holder }] of destinations.entries()) holder.begin(rounds[index] ?? 0)();
    Object.assign(admin, { footer, kids });
  };
}

/** The acknowledged state of the administration: the number in the footer of the pages, and the ids of signing keys. */
export type AdminModel = { footer: number; kids: Set<string> };

/** Everything that was requested and acknowledged. */
export type Model = {
  secrets: SecretModel[];
  destinations: DestinationModel[];
  admin: AdminModel;
  /** One entry for each operation, with its outcome. */
  history: { at: number; about: string; operation: string; outcome: string; attempts: number }[];
};

/** A model with this many secrets, none of which exists yet. */
export function createModel(secrets: number, destinations: DestinationModel[]): Model {
  return {
    secrets: Array.from({ length: secrets }, (_, index) => new SecretModel(`s${index}`)),
    destinations,
    admin: { footer: 0, kids: new Set() },
    history: [],
  };
}
