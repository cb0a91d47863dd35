import { counted } from '../../collections/counted.ts';
import type { Config } from '../../config/config.ts';
import { probeBroker, type BrokerState, type Declared } from '../../queue/probe.ts';
import { describeBrokerError } from '../../queue/refusals/describe.ts';
import { ALARM, queueObject, brokerSentenceOf, type BrokerRefusal } from '../../queue/refusals/refusal.ts';
import {
  assertCommandQueue,
  assertConnectorQueue,
  assertDeadLetters,
  assertEvents,
  assertProbe,
  createTopology,
  type Topology,
} from '../../queue/topology.ts';
import { failed, passed, skipped, warning, type Finding } from './finding.ts';

/**
 * A kind of worker that is needed: how many run, and how many messages wait for them; `type` is null for all except
 * connectors.
 */
export type WorkerReport = { name: string; type: string | null; running: number; messages: number };

/**
 * The result of the broker checks; `workers` and `idle` are null without a broker that takes messages, `deadLetters`
 * without one.
 */
export type BrokerReport = {
  findings: Finding[];
  workers: WorkerReport[] | null;
  /** The kinds of which none runs. */
  idle: string[] | null;
  deadLetters: number | null;
};

const UNKNOWN_WORKERS = skipped(
  'workers',
  'unknown while RabbitMQ is in alarm and takes no messages: start no more of them, end the alarm first',
);

type Kind = { name: string; type: string | null; queue: Declared };

/**
 * Tries the broker as processes use it; looks for dead letters, and whether workers run for everything that needs one;
 * `destinations` by type.
 */
export async function examineBroker(
  config: Config,
  destinations: Map<string, number> | null,
): Promise<BrokerReport> {
  const topology = createTopology(config.AMQP_PREFIX);
  const kinds: Kind[] = [
    { name: 'settings', type: null, queue: commandQueue(topology.commandQueue('settings')) },
    { name: 'key-maintenance', type: null, queue: commandQueue(topology.commandQueue('key-maintenance')) },
    ...[...(destinations?.keys() ?? [])].map((type) => {
      return { name: `connector ${type}`, type, queue: connectorQueue(topology.connectorQueue(type)) };
    }),
  ];
  try {
    const all = [...kinds.map(({ queue }) => queue), ...commonTo(topology)];
    const state = await probeBroker(config.AMQP_URL, all);
    const workers = kinds.map(({ name, type, queue }) => {
      const { consumers = 0, messages = 0 } = state.queues.get(queue.name) ?? {};
      return { name, type, running: consumers, messages };
    });
    const refused = kinds.filter(({ queue }) => isRefused(state, queue.name)).map(({ name }) => name);
    const idle = findIdle(workers, refused);
    const deadLetters = state.queues.get(topology.deadLetters)?.messages ?? 0;
    // Workers lose their queues then, although they run.
    const isAlarmed = state.refusals.some(({ code }) => code === ALARM);
    return {
      findings: [
        ...describeState(state),
        isAlarmed ? UNKNOWN_WORKERS : describeWorkers(idle, refused),
        describeLetters(deadLetters),
      ],
      workers: isAlarmed ? null : workers,
      idle: isAlarmed ? null : idle,
      deadLetters,
    };
  } catch (error) {
    const findings = [refusalFinding(describeBrokerError(error))];
    return { findings, workers: null, idle: null, deadLetters: null };
  }
}

function commandQueue(name: string): Declared {
  return { name, kind: 'queue', declare: assertCommandQueue };
}

// No destination has this id, so workers find nothing to do.
function connectorQueue(name: string): Declared {
  const message = { body: JSON.stringify({ destinations: [0] }), ours: false };
  return { name, kind: 'queue', declare: assertConnectorQueue, message };
}

function commonTo({ deadLetters, events, probe }: Topology): Declared[] {
  return [
    { name: deadLetters, kind: 'queue', declare: assertDeadLetters },
    { name: events, kind: 'exchange', declare: assertEvents },
    { name: probe, kind: 'queue', declare: assertProbe, message: { body: '', ours: true } },
  ];
}

function isRefused({ refusals }: BrokerState, queue: string): boolean {
  return refusals.some(({ object }) => object === queueObject(queue));
}

function describeState({ version, refusals }: BrokerState): Finding[] {
  if (refusals.length > 0) return refusals.map(refusalFinding);
  return [passed('broker', `RabbitMQ ${version} is reachable and confirms messages`)];
}

/** What RabbitMQ refuses, as a finding. */
export function refusalFinding(refusal: BrokerRefusal): Finding {
  return failed('broker', brokerSentenceOf(refusal), refusal.advice);
}

// A worker whose queue is refused may run.
function findIdle(workers: WorkerReport[], refused: string[]): string[] {
  return workers
    .filter(({ name, running }) => running === 0 && !refused.includes(name))
    .map(({ name }) => name);
}

function describeWorkers(idle: string[], refused: string[]): Finding {
  if (idle.length > 0) {
    return warning(
      'workers',
      `not running: ${idle.join(', ')}`,
      `start them with: ${idle.map((name) => `sealift serve ${name}`).join(', ')}`,
    );
  }
  if (refused.length > 0) return skipped('workers', `unknown: RabbitMQ refuses ${refused.join(', ')}`);
  return passed('workers', 'at least one of each needed kind is running');
}

function describeLetters(deadLetters: number): Finding {
  if (deadLetters === 0) return passed('dead letters', 'none');
  return warning(
    'dead letters',
    `${counted(deadLetters, 'message')} that no process could read`,
    'show them with: sealift dead-letters',
  );
}
