import { expect } from 'chai';
import type { Connector, Destination } from '../../../libs/connector/contract.ts';
import type { Fake, PlantedEntry } from '../../sandbox/contract.ts';
import type { Sealift } from '../../support/sealift.ts';
import type { Places } from './places.ts';
import { createSyncDriver, type SyncDriver } from '../../support/sync-driver.ts';

/** The facts about a destination type that the suite needs. */
export type Subject<TestFake extends Fake = Fake> = {
  destination: Destination;
  connector: Connector;
  startFake: () => Promise<TestFake>;
  /** The worker's environment that leads the connector to the fake. */
  environment: (fake: TestFake) => Record<string, string>;
  /** Settings that the fake accepts. */
  settings: (fake: TestFake) => Record<string, unknown>;
  /** New credentials, as a person would set them after a revocation. */
  newCredentials: Record<string, unknown>;
  /** An entry that somebody else made. */
  foreign: (name: string, value: string) => PlantedEntry;
  /** The fake's operations that write a value, and those that delete an entry. */
  writes: string[];
  removes: string[];
  /** The calls that an update of an owned entry makes besides its write. */
  looks: string[];
  places?: Places;
  /** Further fields of the fault for this store's kind of throttling. */
  throttle?: Record<string, unknown>;
};

/** The stage of one run of the suite: each claim gets a new destination and an empty store. */
export class Stage {
  readonly subject: Subject;
  readonly #template: string;
  readonly #byKey: boolean;
  #parts: { fake: Fake; sealift: Sealift; driver: SyncDriver } | undefined;
  #count = 0;

  constructor(subject: Subject) {
    this.subject = subject;
    this.#byKey = subject.destination.defaultGranularity === 'secret-key';
    this.#template = this.#byKey ? 'conf-{{ .SecretPath }}-{{ .SecretKey }}' : 'conf-{{ .SecretPath }}';
  }

  get fake(): Fake {
    return this.#open().fake;
  }

  get sealift(): Sealift {
    return this.#open().sealift;
  }

  get driver(): SyncDriver {
    return this.#open().driver;
  }

  get template(): string {
    return this.#template;
  }

  /** Empties the store and creates the next destination. */
  async begin(fake: Fake, sealift: Sealift): Promise<void> {
    fake.reset();
    this.#count += 1;
    const driver = createSyncDriver(sealift, this.subject.destination.type, `d${this.#count}`);
    this.#parts = { fake, sealift, driver };
    await this.configure({});
  }

  /** Replaces the destination: with the subject's settings and these. */
  async configure(options: Record<string, unknown>): Promise<void> {
    const settings = this.subject.settings(this.fake);
    const answer = await this.driver.configure({
      ...settings,
      secret_name_template: this.#template,
      ...options,
    });
    expect(answer.status, answer.text).to.equal(200);
  }

  /** The path of this claim's secret. */
  secretName(): string {
    return `s${this.#count}`;
  }

  /** How the store shows a secret `{value}`. */
  outside(value: string): string {
    return this.#byKey ? value : JSON.stringify({ value });
  }

  /** The store's value for a name; undefined if there is no such entry. */
  value(name: string): string | null | undefined {
    return this.fake.entries().find((entry) => entry.name === name)?.value;
  }

  writesSoFar(): number {
    return this.fake.calls().filter((call) => this.subject.writes.includes(call.operation)).length;
  }

  /** Writes and associates the secret and waits until it is synced. Returns its external name. */
  async synced(content: string): Promise<string> {
    await this.driver.write(this.secretName(), { value: content });
    const answer = await this.driver.associate(this.secretName());
    expect(answer.status, answer.text).to.equal(200);
    const [record] = await this.driver.settles(this.secretName(), 'SYNCED');
    expect(this.value(record?.external_name ?? '')).to.equal(this.outside(content));
    return record?.external_name ?? '';
  }

  /** The name that an association will get, found without any call to the store. */
  async plannedName(): Promise<string> {
    await this.driver.write(this.secretName(), { value: 'mine' });
    const body = { mount: 'secret', secret_name: this.secretName() };
    const plan = await this.sealift.client.post(`${this.driver.path}/associations/plan`, body);
    expect(plan.status, plan.text).to.equal(200);
    return /"external_name":"([^"]+)"/.exec(JSON.stringify(plan.body))?.[1] ?? '';
  }

  #open(): { fake: Fake; sealift: Sealift; driver: SyncDriver } {
    if (!this.#parts) throw new Error('no claim has begun');
    return this.#parts;
  }
}
