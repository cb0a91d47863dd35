/**
 * Why RabbitMQ does not do what we ask, for operators: `code` is AMQP's with its name, an AMQP method, or the system's;
 * `object` is the kind and name of what it is about, such as `queue 'sealift.command.settings'`. Holds no credential.
 */
export type BrokerRefusal = { code: string; object: string | null; detail: string; advice: string };

/** The code of an alarm of the broker. */
export const ALARM = 'connection.blocked';

/** A refusal that is thrown. */
export class BrokerRefusedError extends Error {
  readonly code: string;
  readonly refusal: BrokerRefusal;
  constructor(refusal: BrokerRefusal) {
    super(brokerSentenceOf(refusal));
    this.name = 'BrokerRefusedError';
    this.code = refusal.code;
    this.refusal = refusal;
  }
}

/** The `object` of a queue. */
export function queueObject(queue: string): string {
  return `queue '${queue}'`;
}

/** The refusal as one sentence with its code. */
export function brokerSentenceOf({ detail, code }: BrokerRefusal): string {
  return `${detail} (${code})`;
}

/** The broker is short of something; `reason` is what it says, such as `low on memory`. */
export function alarmed(reason: unknown): BrokerRefusal {
  const isDisk = /disk/.test(String(reason));
  const isMemory = /memory/.test(String(reason));
  const short = isDisk === isMemory ? 'memory or disk space' : isDisk ? 'disk space' : 'memory';
  return {
    code: ALARM,
    object: null,
    detail: `RabbitMQ accepts no messages: it is short of ${short}`,
    advice: `give RabbitMQ more ${short}; rabbitmq-diagnostics alarms shows its alarms. Sealift goes on by itself`,
  };
}

/** The broker has answered a message with a nack. */
export function nacked(queue: string): BrokerRefusal {
  return {
    code: 'basic.nack',
    object: queueObject(queue),
    detail: `RabbitMQ refuses messages to the queue '${queue}'`,
    advice:
      'the queue is full and a policy has overflow reject-publish, or it has no leader: look for the policy with rabbitmqctl list_policies, and start the workers that read the queue',
  };
}

export function unconfirmed(queue: string): BrokerRefusal {
  return {
    code: 'no confirmation',
    object: queueObject(queue),
    detail: `RabbitMQ does not confirm messages to the queue '${queue}'`,
    advice: 'start the nodes of RabbitMQ that are away: a queue works while a majority of its nodes runs',
  };
}

export function unanswered(): BrokerRefusal {
  return {
    code: 'no answer',
    object: null,
    detail: 'RabbitMQ is connected, but does not answer',
    advice: 'look at the log of RabbitMQ: a majority of its nodes must run, and none may be paused',
  };
}

/** The broker has ended our consumer. */
export function cancelled(queue: string): BrokerRefusal {
  return {
    code: 'basic.cancel',
    object: queueObject(queue),
    detail: `RabbitMQ has ended the consumer of the queue '${queue}'`,
    advice: 'the queue was deleted or has lost its leader; it is declared again by itself',
  };
}
