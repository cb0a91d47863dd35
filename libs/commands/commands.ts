import type { Static, TSchema } from 'typebox';
import { badRequest, outcomeUnknown } from '../errors/request-error.ts';
import type { Broker } from '../queue/broker.ts';
import {
  createCommandCaller,
  serveCommands,
  type CommandCaller,
  type CommandHandler,
  type CommandServer,
} from '../queue/commands.ts';
import { createValidator, type Fault } from '../validation/validator.ts';
import { connectorCommands } from './connector-commands.ts';
import { keyMaintenanceCommands } from './key-maintenance-commands.ts';
import { settingsCommands } from './settings-commands.ts';

/** Every command: what its body and its result look like, by the kind of worker and the name. */
const COMMANDS = {
  connector: connectorCommands,
  settings: settingsCommands,
  'key-maintenance': keyMaintenanceCommands,
};

/** The name of a worker's queue. */
type Worker = 'settings' | 'key-maintenance' | `connector.${string}`;
type CommandsOf<Name extends Worker> = (typeof COMMANDS)[Name extends 'settings' | 'key-maintenance'
  ? Name
  : 'connector'];
type BodyOf<Command> = Command extends { body: infer Schema extends TSchema } ? Static<Schema> : never;
type ResultOf<Command> = Command extends { result: infer Schema extends TSchema } ? Static<Schema> : never;

/** A handler for each command of a worker; it only gets bodies that match the schema. */
export type HandlersOf<Name extends Worker> = {
  [Command in keyof CommandsOf<Name>]: (
    body: BodyOf<CommandsOf<Name>[Command]>,
  ) => Promise<ResultOf<CommandsOf<Name>[Command]>>;
};

/** Sends commands as `CommandCaller` does. Throws 503 if the worker's result does not match the schema. */
export type Commands = Pick<CommandCaller, 'hasWorker'> & {
  call: <Name extends Worker, Command extends keyof CommandsOf<Name> & string>(
    worker: Name,
    command: Command,
    body: BodyOf<CommandsOf<Name>[Command]>,
    options?: { timeoutMs?: number },
  ) => Promise<ResultOf<CommandsOf<Name>[Command]>>;
};

type Check = ReturnType<typeof createValidator>;

/** Register before the broker starts. */
export function createCommands(broker: Broker, options: Parameters<typeof createCommandCaller>[1]): Commands {
  const caller = createCommandCaller(broker, options);
  const checks = new Map<TSchema, Check>();
  return {
    hasWorker: caller.hasWorker,
    call: async (worker, name, body, limits) => {
      const { result: schema } = definitionsFor(worker)[name] ?? {};
      if (!schema) throw new Error(`the ${worker} worker has no command ${name}`);
      const result = await caller.call(worker, { name, body }, limits);
      const check = checks.get(schema) ?? createValidator(schema);
      checks.set(schema, check);
      const checked = check(result);
      if ('value' in checked) return checked.value as never;
      throw outcomeUnknown(
        `the ${worker} worker answered the command ${name} in a form that is unknown here (${describe(checked.faults)})`,
      );
    },
  };
}

/** Serves the commands of a worker as `serveCommands` does. Refuses with 400, and calls no handler, if a body is malformed. */
export function serveWorker<Name extends Worker>(
  broker: Broker,
  options: Omit<Parameters<typeof serveCommands>[1], 'handlers' | 'worker'> & {
    worker: Name;
    handlers: HandlersOf<Name>;
  },
): CommandServer {
  const handlers = Object.entries(definitionsFor(options.worker)).map(([name, { body: schema }]) => {
    const check = createValidator(schema);
    const handle = (options.handlers as Record<string, CommandHandler>)[name];
    const serve: CommandHandler = async (body) => {
      const checked = check(body);
      if ('value' in checked) return handle?.(checked.value);
      throw badRequest(`the command ${name} is malformed (${describe(checked.faults)}); nothing was done`);
    };
    return [name, serve] as const;
  });
  return serveCommands(broker, { ...options, handlers: Object.fromEntries(handlers) });
}

function definitionsFor(worker: Worker): Record<string, { body: TSchema; result: TSchema }> {
  return worker === 'settings' || worker === 'key-maintenance' ? COMMANDS[worker] : COMMANDS.connector;
}

// Where and what, never a value: it may be a credential.
function describe(faults: Fault[]): string {
  return faults.map(({ pointer, message }) => `${pointer} ${message}`.trim()).join(', ');
}
