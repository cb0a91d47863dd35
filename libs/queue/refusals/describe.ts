import { BrokerRefusedError, type BrokerRefusal } from './refusal.ts';

/** The code of an error without one: a channel or connection that ended, or did not come in time. */
export const NO_CONNECTION = 'no connection';

// What a process needs; `libs/queue/topology.ts` has the names.
const RIGHTS =
  "configure and read on '^PREFIX\\.', write on '^(PREFIX\\..*|amq\\.default)$', where PREFIX is AMQP_PREFIX";

type Row = { name: string; detail: (object: string) => string; advice: string };

/** By AMQP's reply code. */
const REPLIES: Record<number, Row> = {
  320: {
    name: 'CONNECTION_FORCED',
    detail: () => 'RabbitMQ has closed the connection',
    advice: 'RabbitMQ is stopping, or somebody closed the connection; Sealift connects again by itself',
  },
  403: {
    name: 'ACCESS_REFUSED',
    detail: (object) => `the user of AMQP_URL lacks a right on ${object}`,
    advice: `give the user its rights with rabbitmqctl set_permissions: ${RIGHTS}`,
  },
  404: {
    name: 'NOT_FOUND',
    detail: (object) => `RabbitMQ does not have ${object}, or the node that holds it is away`,
    advice: 'start the nodes of RabbitMQ that are away; what was deleted is declared again by itself',
  },
  405: {
    name: 'RESOURCE_LOCKED',
    detail: (object) => `another connection has ${object} for itself`,
    advice: 'end the program that declared it as exclusive, or set another AMQP_PREFIX',
  },
  406: {
    name: 'PRECONDITION_FAILED',
    detail: (object) => `RabbitMQ refuses what was asked of ${object}`,
    advice: 'look at the log of RabbitMQ',
  },
  530: {
    name: 'NOT_ALLOWED',
    detail: (object) =>
      `${object} does not exist or is down, does not let the user of AMQP_URL in, or has as many connections as it may`,
    advice:
      'correct the virtual host at the end of AMQP_URL, or create it (rabbitmqctl add_vhost), give the user rights in it (set_permissions), or raise its limit (set_vhost_limits)',
  },
  541: {
    name: 'INTERNAL_ERROR',
    detail: () => 'RabbitMQ has failed',
    advice: 'look at the log of RabbitMQ',
  },
};

const LOGIN: Row = {
  name: 'ACCESS_REFUSED',
  detail: () => 'RabbitMQ refuses the user name or the password of AMQP_URL',
  advice:
    'correct the user name and password in AMQP_URL; the log of RabbitMQ says why it refuses them. The user guest may only come from its own host',
};

const OTHERWISE: Row = {
  name: 'PRECONDITION_FAILED',
  detail: (object) => `${object} was declared otherwise than Sealift needs it`,
  advice:
    'if another installation uses it, set another AMQP_PREFIX; otherwise delete it: Sealift declares it again, and loses nothing, since all work is in Postgres',
};

const LIMITED: Row = {
  name: 'PRECONDITION_FAILED',
  detail: (object) => `RabbitMQ does not let Sealift declare ${object}`,
  advice:
    'look at the log of RabbitMQ: the virtual host may have as many queues as it may (rabbitmqctl set_vhost_limits), or lack quorum queues',
};

const DECLARED = new Set(['40.10', '50.10']);
// The right that an AMQP method needs, by class and method.
const RIGHT_OF: Record<string, string> = {
  '40.10': 'configure',
  '50.10': 'configure',
  '60.40': 'write to',
  '60.20': 'read',
  '60.70': 'read',
};

/** What an error of the client means. `vhost`: that of the URL. */
export function describeBrokerError(error: unknown, vhost = '/'): BrokerRefusal {
  if (error instanceof BrokerRefusedError) return error.refusal;
  if (!(error instanceof Error)) return describeLoss(NO_CONNECTION);
  const login = /^Handshake terminated by server: (\d{3}) /.exec(error.message)?.[1];
  const code = login === undefined ? codeOf(error) : Number(login);
  if (typeof code === 'string') return describeLoss(code);
  const object = code === 530 ? `virtual host '${vhost}'` : objectIn(error.message);
  const row = code === 403 && login !== undefined ? LOGIN : rowOf(code, error);
  const { name, detail, advice } = row;
  const right = code === 403 && login === undefined ? RIGHT_OF[methodOf(error)] : undefined;
  return {
    code: `${code} ${name}`,
    object,
    detail:
      right && object
        ? `the user of AMQP_URL may not ${right} the ${object}`
        : detail(`the ${object ?? 'object'}`),
    advice,
  };
}

function rowOf(code: number, error: Error): Row {
  if (code === 406 && DECLARED.has(methodOf(error)))
    return /inequivalent arg/.test(error.message) ? OTHERWISE : LIMITED;
  return (
    REPLIES[code] ?? { name: '', detail: () => 'RabbitMQ refuses', advice: 'look at the log of RabbitMQ' }
  );
}

/** By the system's code, or the beginning of one. */
function describeLoss(code: string): BrokerRefusal {
  const about = (detail: string, advice: string): BrokerRefusal => ({ code, object: null, detail, advice });
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return about('the host in AMQP_URL does not resolve', 'correct the host in AMQP_URL');
  if (/CERT|SELF_SIGNED|ISSUER|ALTNAME/.test(code)) {
    const advice =
      'set NODE_EXTRA_CA_CERTS to the file of the authority that signed it, and correct the host in AMQP_URL';
    return about('the certificate of RabbitMQ is not trusted', advice);
  }
  if (code === 'no handshake' || code === 'EPROTO' || code.startsWith('ERR_SSL')) {
    const advice = 'correct amqp:// or amqps:// and the port in AMQP_URL; look at the log of RabbitMQ';
    return about('the address in AMQP_URL answers, but not as RabbitMQ does', advice);
  }
  const advice = 'start RabbitMQ, and allow this host to reach the address in AMQP_URL';
  return about('RabbitMQ cannot be reached', advice);
}

// Only a name is taken from the text, which could otherwise hold anything.
function objectIn(text: string): string | null {
  const [, kind, name] = /\b(queue|exchange) '([^'\n]{1,255})' in vhost\b/.exec(text) ?? [];
  return kind && name ? `${kind} '${name}'` : null;
}

function methodOf(error: Error): string {
  const { classId, methodId } = error as { classId?: unknown; methodId?: unknown };
  return `${String(classId)}.${String(methodId)}`;
}

function codeOf(error: Error): string | number {
  const code = 'code' in error ? error.code : undefined;
  return typeof code === 'string' || typeof code === 'number' ? code : NO_CONNECTION;
}
