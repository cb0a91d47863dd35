import { Command, Option } from 'commander';
import { exitCodes } from '../exit-codes.ts';
import type { Part } from '../serve/supervise.ts';

type Kind = 'api' | 'settings' | 'key-maintenance';

const kinds: Record<Kind, string> = {
  api: 'Answer REST clients',
  settings: 'Change settings and send mail',
  'key-maintenance': 'Run the scheduled jobs: keys, tokens, retention, notifications',
};

/** Runs one process of the service, or all of them, until it is stopped (SIGTERM, SIGINT). */
export function serveCommand(): Command {
  const serve = new Command('serve').description('Run a process of the service until it is stopped');
  for (const [kind, description] of Object.entries(kinds)) {
    serve.addCommand(
      partCommand(kind, description).action(async (options: { part: boolean }) => {
        if (options.part) stopWithParent();
        const { processes } = await import('../serve/processes.ts');
        await processes[kind as Kind]();
      }),
    );
  }
  return serve.addCommand(connectorCommand()).addCommand(allCommand());
}

function connectorCommand(): Command {
  return partCommand('connector', 'Push secrets to the destinations of one type')
    .argument('<type>', 'the destination type')
    .action(async (type: string, options: { part: boolean }) => {
      if (options.part) stopWithParent();
      const { serveConnector } = await import('../serve/processes.ts');
      await serveConnector(type);
    });
}

function allCommand(): Command {
  return new Command('all')
    .description('Run all services, each in its own process; their health ports count up from HEALTH_PORT')
    .option('--types <types>', 'only these destination types, comma separated')
    .option('--one-process', 'all in this process, for a small installation: it ends if one of them breaks')
    .action(async ({ types, oneProcess }: { types?: string; oneProcess?: boolean }) => {
      const { connectorTypes, requireType, serveOneProcess } = await import('../serve/processes.ts');
      const chosen =
        types === undefined ? connectorTypes : types.split(',').map((name) => requireType(name).type);
      if (oneProcess) return serveOneProcess(chosen);
      const { loadConfig } = await import('../../../libs/config/config.ts');
      const config = loadConfig();
      const { createLog } = await import('../../../libs/log/log.ts');
      const { supervise } = await import('../serve/supervise.ts');
      const words = [
        ...Object.keys(kinds).map((kind) => [kind]),
        ...chosen.map((type) => ['connector', type]),
      ];
      const stop = new AbortController();
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());
      const log = createLog({ service: 'all', level: config.LOG_LEVEL });
      process.exitCode = await supervise(withPorts(words, config.HEALTH_PORT), {
        log,
        limitMs: config.SHUTDOWN_TIMEOUT,
        stop,
      });
    });
}

function partCommand(name: string, description: string): Command {
  const part = new Option('--part', 'it was started by serve all').hideHelp().default(false);
  return new Command(name).description(description).addOption(part);
}

// With 0 the system chooses each port.
function withPorts(words: string[][], first: number): Part[] {
  return words.map((one, index) => ({
    words: one,
    environment: { HEALTH_PORT: String(first === 0 ? 0 : first + index) },
  }));
}

// A process of `serve all` must not outlive it, even if `serve all` was killed.
function stopWithParent(): void {
  if (!process.connected) process.exit(exitCodes.ok);
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
}
