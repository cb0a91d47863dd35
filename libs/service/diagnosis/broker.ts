import { counted } from '../../collections/counted.ts';
import type { Config } from '../../config/config.ts';
import { probeBroker, type BrokerState, type Declared, type QueueState } from '../../queue/probe.ts';
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

/** `other`: the queue that workers with another AMQP_URL, or of a former version, read. */
type Kind = { name: string; type: string | null; queue: Declared; other?: Declared };

/**
 * Tries the broker as processes use it; looks for dead letters, and whether workers run for everything that needs one;
 * `destinations` by type.
 */
export async function examineBroker(
  config: Config,
  destinations: Map<string, number> | null,
): Promise<BrokerReport> {
  const topology = createTopology(config);
  const kinds: Kind[] = [
    { name: 'settings', type: null, queue: commandQueue(topology.commandQueue('settings')) },
    { name: 'key-maintenance', type: null, queue: commandQueue(topology.commandQueue('key-maintenance')) },
    ...[...(destinations?.keys() ?? [])].map((type) => {
      const other: Declared = { name: topology.otherConnectorQueue(type), kind: 'queue' };
      return { name: `connector ${type}`, type, queue: connectorQueue(topology, type), other };
    }),
  ];
  try {
    const others = kinds.flatMap(({ other }) => other ?? []);
    const all = [...kinds.map(({ queue }) => queue), ...others, ...commonTo(topology)];
    const state = await probeBroker(config.AMQP_URL, all);
    const workers = kinds.map(({ name, type, queue, other }) => {
      const found = [queue, other].map((one) => state.queues.get(one?.name ?? ''));
      const sumOf = (key: keyof QueueState) => found.reduce((sum, one) => sum + (one?.[key] ?? 0), 0);
      return { name, type, running: sumOf('consumers'), messages: sumOf('messages') };
    });
    const apart = others.map(({ name }) => name).filter((name) => state.queues.get(name)?.consumers);
    const refused = kinds.filter(({ queue }) => isRefused(state, queue.name)).map(({ name }) => name);
    const idle = findIdle(workers, refused);
    const deadLetters = state.queues.get(topology.deadLetters)?.messages ?? 0;
    // Workers lose their queues then, although they run.
    const isAlarmed = state.refusals.some(({ code }) => code === ALARM);
    return {
      findings: [
        ...describeState(state),
        isAlarmed ? UNKNOWN_WORKERS : describeWorkers(idle, refused),
        ...(apart.length > 0 ? [describeApart(apart)] : []),
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
function connectorQueue({ connectorQueue: nameOf, workQueueKind }: Topology, type: string): Declared {
  const message = { body: JSON.stringify({ destinations: [0] }), ours: false };
  return {
    name: nameOf(type),
    kind: 'queue',
    declare: (channel, name) => assertConnectorQueue(channel, name, workQueueKind),
    message,
  };
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

function describeApart(queues: string[]): Finding {
  return warning(
    'work queues',
    `workers with another AMQP_URL, or of a former version, read ${queues.join(', ')}: nothing sent from here reaches them, and they find work by their sweeps`,
    'name the same hosts in the AMQP_URL of every process; after an upgrade, replace the workers of the former version',
  );
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
