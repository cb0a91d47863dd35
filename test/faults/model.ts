const KEPT_VERSIONS = 10;

type State = 'live' | 'deleted' | 'destroyed';

/** What one secret must be, as far as was acknowledged; the timeline holds every version it ever was to have outside. */
export class SecretModel {
  readonly path: string;
  readonly versions = new Map<number, State>();
  /** By destination: whether it is associated. */
  readonly associated = new Map<string, boolean>();
  readonly timeline: { version: number | null; at: number }[] = [{ version: null, at: 0 }];
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

  /** Takes a change into account before it is sent: from then on stores may hold its outcome. */
  begin(change: () => void): void {
    change();
    this.timeline.push({ version: this.desired(), at: Date.now() });
  }

  /** A write that certainly did not happen is taken back. */
  withdraw(version: number): void {
    this.begin(() => {
      this.versions.delete(version);
      this.current = version - 1;
    });
  }
}

/** What a destination's names and tags must be. */
export type DestinationModel = {
  type: string;
  name: string;
  round: number;
  policy: 'refuse' | 'overwrite' | 'adopt';
};

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
