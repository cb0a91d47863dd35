import { Timeline } from './timeline.ts';

const KEPT_VERSIONS = 10;

type State = 'live' | 'deleted' | 'destroyed';

/** What one secret must be, as far as was asked for. */
export class SecretModel {
  readonly path: string;
  readonly versions = new Map<number, State>();
  /** Every version that it ever was to have outside; null: none. */
  readonly wanted = new Timeline<number | null>(null);
  readonly #associations = new Map<string, Timeline<boolean>>();
  current = 0;

  constructor(path: string) {
    this.path = path;
  }

  /** The highest live version, which is what stores must hold; null: they must hold nothing. */
  desired(): number | null {
    for (let version = this.current; version > Math.max(0, this.current - KEPT_VERSIONS); version -= 1) {
      if (this.versions.get(version) === 'live') return version;
    }
    return null;
  }

  /** Versions in a state that can still be changed, newest first. */
  versionsIn(state: State): number[] {
    const oldest = this.current - KEPT_VERSIONS;
    return [...this.versions]
      .flatMap(([version, found]) => (found === state && version > oldest + 1 ? [version] : []))
      .reverse();
  }

  /** When it was associated with a destination, and when not. */
  associations(destination: string): Timeline<boolean> {
    const known = this.#associations.get(destination) ?? new Timeline(false);
    this.#associations.set(destination, known);
    return known;
  }

  /** Takes a change into account before it is sent: from then on stores may hold its outcome. The answer notes the acknowledgement. */
  begin(change: () => void): () => void {
    change();
    return this.wanted.begin(this.desired());
  }

  /** Remembers what it is now; the answer makes that so again, as a failover does that lost what came later. */
  remember(): () => void {
    const { current } = this;
    const versions = new Map(this.versions);
    const associated = new Map([...this.#associations].map(([name, held]) => [name, held.acknowledged()]));
    return () => {
      this.begin(() => {
        this.current = current;
        this.versions.clear();
        for (const [version, state] of versions) this.versions.set(version, state);
      })();
      for (const [name, held] of this.#associations) held.begin(associated.get(name) ?? false)();
    };
  }

  /** A write that certainly did not happen is taken back. */
  withdraw(version: number): void {
    this.begin(() => {
      this.versions.delete(version);
      this.current = version - 1;
    })();
  }
}

/** What a destination's names and tags must be. */
export class DestinationModel {
  readonly type: string;
  readonly name: string;
  policy: 'refuse' | 'overwrite' | 'adopt';
  /** The number in its names. */
  readonly rounds = new Timeline(0);

  constructor({ type, name, policy }: Pick<DestinationModel, 'type' | 'name' | 'policy'>) {
    this.type = type;
    this.name = name;
    this.policy = policy;
  }

  /** As last acknowledged. */
  get round(): number {
    return this.rounds.acknowledged();
  }
}

/** Remembers all that is acknowledged; the answer makes that so again. */
export function remember({ secrets, destinations, admin }: Model): () => void {
  const restores = secrets.map((secret) => secret.remember());
  const rounds = destinations.map(({ round }) => round);
  const { footer } = admin;
  const kids = new Set(admin.kids);
  return () => {
    for (const restore of restores) restore();
    for (const [index, { rounds: held }] of destinations.entries()) held.begin(rounds[index] ?? 0)();
    Object.assign(admin, { footer, kids });
  };
}

/** What administrators have been told is so: the number in the footer of the pages, and the ids of signing keys. */
export type AdminModel = { footer: number; kids: Set<string> };

/** Everything that was asked for and acknowledged. */
export type Model = {
  secrets: SecretModel[];
  destinations: DestinationModel[];
  admin: AdminModel;
  /** One line for each operation and how it ended. */
  history: { at: number; about: string; operation: string; outcome: string; attempts: number }[];
};

/** A model of so many secrets, none of which exists yet. */
export function createModel(secrets: number, destinations: DestinationModel[]): Model {
  return {
    secrets: Array.from({ length: secrets }, (_, index) => new SecretModel(`s${index}`)),
    destinations,
    admin: { footer: 0, kids: new Set() },
    history: [],
  };
}
