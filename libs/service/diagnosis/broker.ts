import type { Config } from '../../config/config.ts';
import { probeBroker, type BrokerState } from '../../queue/probe.ts';
import { createTopology } from '../../queue/topology.ts';
import { codeOf, failed, ok, warning, type Finding } from './finding.ts';

/**
 * A kind of worker that is needed: how many run, and how many messages wait for them; `type` is null for all except
 * connectors.
 */
export type WorkerReport = { name: string; type: string | null; running: number; messages: number };

/** The result of the broker checks; `workers` and `deadLetters` are null without a broker. */
export type BrokerReport = {
  findings: Finding[];
  workers: WorkerReport[] | null;
  deadLetters: number | null;
};

/** Checks the broker, dead letters, and whether workers run for everything that needs one; `destinations` by type. */
export async function examineBroker(
  config: Config,
  destinations: Map<string, number> | null,
): Promise<BrokerReport> {
  const topology = createTopology(config.AMQP_PREFIX);
  const types = [...(destinations?.keys() ?? [])];
  const kinds = [
    { name: 'settings', type: null, queue: topology.commandQueue('settings') },
    { name: 'key-maintenance', type: null, queue: topology.commandQueue('key-maintenance') },
    ...types.map((type) => ({ name: `connector ${type}`, type, queue: topology.connectorQueue(type) })),
  ];
  try {
    const queues = [...kinds.map(({ queue }) => queue), topology.deadLetters];
    const state = await probeBroker(config.AMQP_URL, queues);
    const workers = kinds.map(({ name, type, queue }) => {
      const { consumers = 0, messages = 0 } = state.queues.get(queue) ?? {};
      return { name, type, running: consumers, messages };
    });
    const deadLetters = state.queues.get(topology.deadLetters)?.messages ?? 0;
    return { findings: findingsOf(state, workers, deadLetters), workers, deadLetters };
  } catch (error) {
    const finding = failed('broker', `no connection: ${reasonOf(error)}`, adviceOn(error));
    return { findings: [finding], workers: null, deadLetters: null };
  }
}

function findingsOf({ version }: BrokerState, workers: WorkerReport[], deadLetters: number): Finding[] {
  const idle = workers.filter(({ running }) => running === 0).map(({ name }) => name);
  return [
    ok('broker', `RabbitMQ ${version} answers`),
    idle.length === 0
      ? ok('workers', 'at least one of each needed kind is running')
      : warning(
          'workers',
          `not running: ${idle.join(', ')}`,
          `start them with: ${idle.map((name) => `sealift serve ${name}`).join(', ')}`,
        ),
    deadLetters === 0
      ? ok('dead letters', 'none')
      : warning(
          'dead letters',
          `${deadLetters} messages that no process could read`,
          'show them with: sealift dead-letters',
        ),
  ];
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && /ACCESS[-_]REFUSED/.test(error.message);
}

function reasonOf(error: unknown): string {
  return isRefused(error) ? 'access refused' : codeOf(error);
}

function adviceOn(error: unknown): string {
  if (isRefused(error)) return 'correct the user name, password and virtual host in AMQP_URL';
  if (['ENOTFOUND', 'EAI_AGAIN'].includes(codeOf(error)))
    return 'correct the host in AMQP_URL: its name does not resolve';
  return 'start RabbitMQ, and allow this host to reach the address in AMQP_URL';
}
