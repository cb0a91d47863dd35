import { expect } from 'chai';
import type { Connector, Destination } from '../../../libs/connector/contract.ts';
import type { Fake, PlantedEntry } from '../../sandbox/contract.ts';
import type { Sealift } from '../../support/sealift.ts';
import type { Places } from './places.ts';
import { createSyncDriver, type SyncDriver } from '../../support/sync-driver.ts';

/** What the suite has to know of a destination type. */
export type Subject<TestFake extends Fake = Fake> = {
  destination: Destination;
  connector: Connector;
  startFake: () => Promise<TestFake>;
  /** Environment of the worker that points the connector at the fake. */
  environment: (fake: TestFake) => Record<string, string>;
  /** Settings with which the fake lets everything through. */
  settings: (fake: TestFake) => Record<string, unknown>;
  /** A change of credentials that a person would make after a revocation. */
  newCredentials: Record<string, unknown>;
  /** An entry as somebody else would have made it. */
  foreign: (name: string, value: string) => PlantedEntry;
  /** The fake's operations that write a value, and those that delete an entry. */
  writes: string[];
  removes: string[];
  /** What an update of a held entry calls beside its write. */
  looks: string[];
  places?: Places;
  /** How one throttles: the fault's extras. */
  throttle?: Record<string, unknown>;
};

/** Where one run of the suite plays; a fresh destination and an empty store before each claim. */
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

  /** Empties the store and makes the next destination. */
  async begin(fake: Fake, sealift: Sealift): Promise<void> {
    fake.reset();
    this.#count += 1;
    const driver = createSyncDriver(sealift, this.subject.destination.type, `d${this.#count}`);
    this.#parts = { fake, sealift, driver };
    await this.configure({});
  }

  /** Replaces the destination: the subject's settings and these. */
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

  /** What a secret `{value}` reads outside. */
  outside(value: string): string {
    return this.#byKey ? value : JSON.stringify({ value });
  }

  /** What the store holds under a name; undefined where there is no such entry. */
  value(name: string): string | null | undefined {
    return this.fake.entries().find((entry) => entry.name === name)?.value;
  }

  writesSoFar(): number {
    return this.fake.calls().filter((call) => this.subject.writes.includes(call.operation)).length;
  }

  /** Writes and associates the secret and waits for it; returns its external name. */
  async synced(content: string): Promise<string> {
    await this.driver.write(this.secretName(), { value: content });
    const answer = await this.driver.associate(this.secretName());
    expect(answer.status, answer.text).to.equal(200);
    const [record] = await this.driver.settles(this.secretName(), 'SYNCED');
    expect(this.value(record?.external_name ?? '')).to.equal(this.outside(content));
    return record?.external_name ?? '';
  }

  /** The name an association is going to have, learnt without any call to the store. */
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
