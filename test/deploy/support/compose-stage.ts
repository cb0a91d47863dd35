import { expect } from 'chai';
import { choosePorts } from '../../../deploy/local/ports.ts';
import { eventually } from '../../support/eventually.ts';
import { infrastructure } from '../../support/infrastructure.ts';
import { mergeComposeFiles, type ComposeService } from './compose-files.ts';
import { startContainer, type Container } from './container.ts';
import type { Image } from './image.ts';
import { createPostgresServices } from './postgres-services.ts';

const HEALTHY_LIMIT_MS = 90_000;

/** One process of a service. */
export type Replica = { name: string; url: string; healthUrl: string; container: Container };

/** The services of the highly available compose file, as processes of this machine. */
export type ComposeStage = {
  /** Starts a service and all that it depends on. Resolves when it is healthy, or has ended with success. */
  up: (name: string) => Promise<void>;
  /** All services but those that somebody starts by hand. */
  names: string[];
  /** The processes that run on. */
  replicas: Replica[];
  /** Runs a service once more with further words, and returns what it prints. */
  run: (name: string, ...words: string[]) => Promise<string>;
  discard: () => Promise<void>;
};

/** `settings` are for all services with the image, `overrides` for single ones, as in an override file. */
type Choices = {
  keyFile: string;
  settings: Record<string, string>;
  overrides: Record<string, Record<string, string>>;
};

/**
 * Prepares the services. Each host name leads to this machine: to three servers of Postgres, and to one node of RabbitMQ that
 * stands for three. Undo: `discard`.
 */
export async function prepareCompose(
  image: Image,
  { keyFile, settings, overrides }: Choices,
): Promise<ComposeStage> {
  const broker = new URL(infrastructure().amqpUrl);
  const services = mergeComposeFiles({
    POSTGRES_PASSWORD: 'password',
    RABBITMQ_PASSWORD: broker.password,
    RABBITMQ_COOKIE: 'cookie',
    EGRESS_ALLOW: '127.0.0.0/8',
  });
  const serviceOf = (name: string): ComposeService => {
    const service = services.get(name);
    if (!service) throw new Error(`there is no service ${name}`);
    return service;
  };
  const postgres = await createPostgresServices(
    [...services.keys()].filter((name) => name.startsWith('postgres')),
  );
  const place = (value: string): string =>
    value
      .replaceAll(
        /(postgres(?:-\d)?):5432/g,
        (_all, host: string) => `${postgres.addresses.get(host)}:${postgres.port}`,
      )
      .replaceAll(/rabbitmq(?:-\d)?:5672/g, broker.host)
      .replace('/run/secrets/master_key', keyFile);
  const launch = async (name: string, words: string[] = []): Promise<Replica> => {
    const { command = [], environment = {} } = serviceOf(name);
    const [port, healthPort] = await choosePorts([undefined, undefined]);
    const given = Object.entries(environment).map(([key, value]) => [key, place(value)]);
    const container = startContainer(image, [...image.entrypoint, ...command, ...words], {
      ...Object.fromEntries(given),
      ...settings,
      ...overrides[name],
      PORT: String(port),
      HEALTH_PORT: String(healthPort),
    });
    const url = (number = 0): string => `http://127.0.0.1:${number}`;
    return { name, url: url(port), healthUrl: url(healthPort), container };
  };

  const replicas: Replica[] = [];
  const isHealthy = async ({ name, healthUrl, container }: Replica, check: string[]): Promise<void> => {
    const succeed = async (): Promise<true> => {
      const { ended } = startContainer(image, check, { HEALTH_PORT: new URL(healthUrl).port });
      expect(await ended, `${name}: ${container.output()}`).to.equal(0);
      return true;
    };
    // Each check starts Node, which would slow the starts of the others down.
    const isReady = async (): Promise<boolean> => (await fetch(`${healthUrl}/health/ready`)).ok;
    await eventually(isReady, { limitMs: HEALTHY_LIMIT_MS, everyMs: 200 });
    await eventually(succeed, { limitMs: HEALTHY_LIMIT_MS, everyMs: 200 });
  };
  const start = async (name: string): Promise<void> => {
    const { depends_on: needs = {}, deploy, healthcheck } = serviceOf(name);
    await Promise.all(Object.keys(needs).map(up));
    if (name.startsWith('rabbitmq')) return;
    if (postgres.addresses.has(name)) return postgres.start(name, serviceOf(name));
    const started = await Promise.all(Array.from({ length: deploy?.replicas ?? 1 }, () => launch(name)));
    if (healthcheck) {
      replicas.push(...started);
      const [, ...check] = healthcheck.test;
      await Promise.all(started.map((one) => isHealthy(one, check)));
    } else for (const { container } of started) expect(await container.ended, container.output()).to.equal(0);
  };
  const begun = new Map<string, Promise<void>>();
  const up = (name: string): Promise<void> => {
    const going = begun.get(name) ?? start(name);
    begun.set(name, going);
    return going;
  };

  return {
    up,
    names: [...services].flatMap(([name, { profiles }]) => (profiles ? [] : [name])),
    replicas,
    run: async (name, ...words) => {
      const { container } = await launch(name, words);
      expect(await container.ended, container.output()).to.equal(0);
      return container.output();
    },
    discard: async () => {
      for (const { container } of replicas) container.signal('SIGKILL');
      await Promise.all(replicas.map(({ container }) => container.ended));
      await postgres.discard();
    },
  };
}
