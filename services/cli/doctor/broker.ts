import type { Config } from '../../../libs/config/config.ts';
import { probeBroker } from '../../../libs/queue/probe.ts';
import { createTopology } from '../../../libs/queue/topology.ts';
import { codeOf, failed, ok, warning, type Finding } from './finding.ts';

/** The broker, dead letters, and whether somebody works on what there is to do; `destinations` by type. */
export async function examineBroker(
  config: Config,
  destinations: Map<string, number> | null,
): Promise<Finding[]> {
  const topology = createTopology(config.AMQP_PREFIX);
  const types = [...(destinations?.keys() ?? [])];
  const workers = [
    { name: 'settings', queue: topology.commandQueue('settings') },
    { name: 'key-maintenance', queue: topology.commandQueue('key-maintenance') },
    ...types.map((type) => ({ name: `connector ${type}`, queue: topology.connectorQueue(type) })),
  ];
  try {
    const queues = [...workers.map(({ queue }) => queue), topology.deadLetters];
    const state = await probeBroker(config.AMQP_URL, queues);
    const idle = workers.filter(({ queue }) => !state.queues.get(queue)?.consumers);
    const dead = state.queues.get(topology.deadLetters)?.messages ?? 0;
    return [
      ok('broker', `RabbitMQ ${state.version} answers`),
      idle.length === 0
        ? ok('workers', 'there is one of each kind that is needed')
        : warning(
            'workers',
            `none runs: ${idle.map(({ name }) => name).join(', ')}`,
            `start: ${idle.map(({ name }) => `sealift serve ${name}`).join(', ')}`,
          ),
      dead === 0
        ? ok('dead letters', 'none')
        : warning('dead letters', `${dead} messages nobody could read`, 'look at them: sealift dead-letters'),
    ];
  } catch (error) {
    return [failed('broker', `no connection: ${reasonOf(error)}`, adviceOn(error))];
  }
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
    return 'correct the host in AMQP_URL: its name is not known';
  return 'start RabbitMQ, and let this host reach the address in AMQP_URL';
}
