import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Distinguishes a process from a later one with the same pid: the boot and start time if `/proc` has them, otherwise the
 * start time from `ps`. Undefined if no such process lives; a zombie does not live.
 */
export function identifyProcess(pid: number): string | undefined {
  if (process.platform === 'linux') return identifyByProc(pid);
  const [state, ...started] = runPs(pid, 'state=,lstart=').split(/\s+/);
  return state === '' || state?.startsWith('Z') ? undefined : started.join(' ');
}

/** The command line of a live process, words joined by spaces; empty if there is no such process. */
export function commandLineOf(pid: number): string {
  if (process.platform !== 'linux') return runPs(pid, 'command=');
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}

function identifyByProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command is in brackets and may contain spaces and brackets itself, so count from the last bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}/${fields[19]}`;
  } catch {
    return undefined;
  }
}

function runPs(pid: number, format: string): string {
  try {
    return execFileSync('ps', ['-o', format, '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return '';
  }
}
