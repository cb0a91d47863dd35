import type {
  ConnectorContext,
  Destination,
  EntryKey,
  PutEntry,
  Session,
} from '../../../libs/connector/contract.ts';
import type { Fake, PlantedEntry, StoredEntry } from '../../sandbox/contract.ts';

/** The entry of a store's table. */
type Planted = Omit<PlantedEntry, 'name' | 'value'>;

/** The calls of a verb, in order and with their statuses: `CreateSecret 200`. */
type Calls = string[];

/** What the suite needs to know of a store to try all its verbs. */
export type VerbsOfStore<TestFake extends Fake> = {
  destination: Destination;
  startFake: () => Promise<TestFake>;
  open: (fake: TestFake, context?: Partial<ConnectorContext>) => Promise<Session>;
  /** The name of the entry. With one letter more or less, and as OTHER, it is another one. */
  name: string;
  /** The ledger's key of the only entry of that name. Only for stores that find the very entry by its reference. */
  keyOf?: (fake: TestFake, name: string) => EntryKey;
  /** The form of the reference that a creation returns if there is no `keyOf`; null if absent. */
  reference?: RegExp;
  /** What the fake plants: an entry of ours, of another installation if the store tells the owner, and of a person. */
  ours: Planted;
  other?: Planted;
  theirs?: Planted;
  /** What the store shows of an entry with the tag `team: red` that was created, and of one that was updated. */
  created?: object;
  updated?: object;
  /** The operations that write a value. */
  writes: Record<PutEntry['expect'], string>;
  /** The calls of a signed-in session. `read` and those after it find an entry, those with `Absent` find none. */
  calls: {
    check: Calls;
    create: Calls;
    update: Calls;
    read: Calls;
    readAbsent: Calls;
    remove: Calls;
    removeAbsent: Calls;
    /** For stores with tags: with tags that go, with a new one only, with nothing to change. */
    retag?: Calls;
    addTag?: Calls;
    keepTags?: Calls;
  };
  /** The code for a value that is too large, if not `request_refused`. */
  tooLarge?: string;
  /** The store takes no empty value. */
  refusesEmpty?: true;
  /** Reading does not tell when the entry was changed. */
  hidesTime?: true;
  /** A repeated write adds no version. */
  knowsRepeats?: true;
  /** A creation whose answer was lost is refused when repeated, because the name is taken. */
  refusesRepeat?: true;
};

/** A signal that never aborts. Calls at the same time need one each. */
export const calm = (): AbortSignal => new AbortController().signal;

/** The calls that reached the store, in order and with their statuses. */
export const callsTo = (fake: Fake): string[] =>
  fake.calls().map(({ operation, status }) => `${operation} ${status}`);

/** What the claims work with: the running fake, a session that is signed in, and the entries of the table. */
export type VerbStage = {
  readonly fake: Fake;
  readonly session: Session;
  /** A further session, which the suite closes. */
  open: (context?: Partial<ConnectorContext>) => Promise<Session>;
  plant: (whose: 'ours' | 'other' | 'theirs', more?: Partial<PlantedEntry>) => void;
  /** The ledger's key of the planted entry. */
  key: (name?: string) => EntryKey;
  /** An entry to put, with a token of its own. */
  entry: (change?: Partial<PutEntry>) => PutEntry;
  /** The store's only entry of that name. */
  stored: (name?: string) => StoredEntry | undefined;
};
