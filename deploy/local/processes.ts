import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { identifyProcess } from './process-identity.ts';
import { readState, writeState } from './state.ts';
import { waitFor } from './wait.ts';

/** A background process, as stored in `run/<name>.json`. `identity` prevents ending another process with the same pid. */
export interface ProcessRecord {
  readonly name: string;
  readonly pid: number;
  readonly identity: string;
  readonly stopSignal: NodeJS.Signals;
  readonly startedAt: string;
}

/** What to run in the background. Its log is `log/<name>.log` below `directory`, and each start begins a new one. */
export interface ProcessOptions {
  readonly directory: string;
  readonly name: string;
  readonly command: string;
  readonly arguments: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly workingDirectory?: string;
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  readonly stopSignal?: NodeJS.Signals;
}

/** Starts a process in its own group, which outlives this process, and writes its record. */
export async function startProcess(options: ProcessOptions): Promise<ProcessRecord> {
  mkdirSync(join(options.directory, 'log'), { recursive: true });
  const log = openSync(logFile(options), 'w', 0o600);
  try {
    const child = spawn(options.command, options.arguments, {
      cwd: options.workingDirectory ?? options.directory,
      env: options.environment,
      detached: true,
      stdio: ['ignore', log, log],
      ...options.user,
    });
    await once(child, 'spawn');
    child.on('error', () => undefined);
    child.unref();
    if (child.pid === undefined) throw new Error(`${options.command} has no pid`);
    return recordProcess({ ...options, pid: child.pid });
  } finally {
    closeSync(log);
  }
}

/** Records a process that was started by other means, so that it is stopped with the others. */
export function recordProcess(
  options: Pick<ProcessOptions, 'directory' | 'name' | 'stopSignal'> & { readonly pid: number },
): ProcessRecord {
  const record: ProcessRecord = {
    name: options.name,
    pid: options.pid,
    identity: identifyProcess(options.pid) ?? 'ended',
    stopSignal: options.stopSignal ?? 'SIGTERM',
    startedAt: new Date().toISOString(),
  };
  writeState(recordFile(options), { ...record });
  return record;
}

/** The record of a process that still runs; undefined if it has ended. */
export function findRunning(options: { directory: string; name: string }): ProcessRecord | undefined {
  const { name, pid, identity, stopSignal, startedAt } = readState(recordFile(options));
  if (typeof pid !== 'number' || typeof identity !== 'string' || typeof name !== 'string') return undefined;
  if (identifyProcess(pid) !== identity) return undefined;
  return { name, pid, identity, stopSignal: stopSignal as NodeJS.Signals, startedAt: String(startedAt) };
}

/** All running processes of a directory, the last started first: the order to stop them in. */
export function listRunning(directory: string): ProcessRecord[] {
  const folder = join(directory, 'run');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => findRunning({ directory, name: file.slice(0, -'.json'.length) }) ?? [])
    .sort((left, right) => right.startedAt.localeCompare(left.startedAt));
}

/** Asks a process to end, waits, then kills its whole group. True if it ran. */
export async function stopProcess(options: {
  directory: string;
  name: string;
  limitMs: number;
}): Promise<boolean> {
  const record = findRunning(options);
  if (record) {
    signal(record.pid, record.stopSignal);
    const hasEnded = (): boolean => identifyProcess(record.pid) !== record.identity;
    if (!(await waitFor({ limitMs: options.limitMs, check: hasEnded }))) {
      signal(-record.pid, 'SIGKILL');
      signal(record.pid, 'SIGKILL');
      await waitFor({ limitMs: 5000, check: hasEnded });
    }
  }
  rmSync(recordFile(options), { force: true });
  return record !== undefined;
}

/** The last lines of a process' log, for an error message. */
export function tailLog(options: { directory: string; name: string; lines?: number }): string {
  const file = logFile(options);
  const text = existsSync(file) ? readFileSync(file, 'utf8').trimEnd() : '';
  const tail = text.split('\n').slice(-(options.lines ?? 20));
  return `The end of ${file}:\n${tail.map((line) => `  | ${line}`).join('\n')}`;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has already ended, as wanted.
  }
}

function recordFile(options: { directory: string; name: string }): string {
  return join(options.directory, 'run', `${options.name}.json`);
}

function logFile(options: { directory: string; name: string }): string {
  return join(options.directory, 'log', `${options.name}.log`);
}
