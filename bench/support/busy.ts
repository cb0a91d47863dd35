import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type { Knex } from 'knex';

// The kernel counts processor time in hundredths of a second (`getconf CLK_TCK`).
const TICKS_PER_SECOND = 100;

/** Starts to watch the machine's CPUs. The returned function returns the busy share since then, 0 to 1. */
export function watchProcessors(): () => number {
  const before = sum();
  return () => {
    const after = sum();
    const total = after.total - before.total;
    return total === 0 ? 0 : 1 - (after.idle - before.idle) / total;
  };
}

function sum(): { idle: number; total: number } {
  const times = cpus().map((processor) => processor.times);
  return {
    idle: times.reduce((all, { idle }) => all + idle, 0),
    total: times.reduce((all, { user, nice, sys, idle, irq }) => all + user + nice + sys + idle + irq, 0),
  };
}

/** Processor seconds that the Postgres server and its processes have used, with those that have ended. Linux only. */
export async function postgresSeconds(db: Knex): Promise<number> {
  const { rows } = await db.raw<{ rows: { pid: number }[] }>('SELECT pg_backend_pid() AS pid');
  const server = timesOf(rows[0]?.pid ?? 0)?.parent;
  if (!server) throw new Error('Postgres runs on another machine: its processor time cannot be read');
  return familySeconds(server);
}

/** Processor seconds that a process and its descendants have used, with those that have ended. Linux only. */
export function familySeconds(ancestor: number): number {
  const processes = new Map(
    readdirSync('/proc').flatMap((name) => {
      const times = Number(name) > 0 ? timesOf(Number(name)) : undefined;
      return times ? [[Number(name), times] as const] : [];
    }),
  );
  const isFamily = (pid: number): boolean =>
    pid === ancestor || (pid > 1 && isFamily(processes.get(pid)?.parent ?? 0));
  const ticks = [...processes].reduce(
    (all, [pid, { own, ended }]) => all + (isFamily(pid) ? own + ended : 0),
    0,
  );
  return ticks / TICKS_PER_SECOND;
}

/** In ticks: what the process used itself, and what its children used that have ended. */
function timesOf(pid: number): { parent: number; own: number; ended: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may contain blanks. After it come the state, the parent and so on (man proc_pid_stat).
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [, parent = 0] = fields;
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
    return { parent, own: user + system, ended: endedUser + endedSystem };
  } catch {
    return undefined;
  }
}
