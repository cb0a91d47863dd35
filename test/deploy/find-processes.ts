import { readdirSync, readFileSync } from 'node:fs';

/** The command lines of all live processes of a directory, which is in their arguments or environment. */
export function findProcessesOf(directory: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const words = readProc(pid, 'cmdline');
      const isOurs = words.includes(directory) || readProc(pid, 'environ').includes(directory);
      // A zombie has no arguments any more.
      return isOurs && words !== '' ? [`${pid} ${words}`] : [];
    });
}

/** The addresses that something listens on at this port, in the kernel's spelling; `0100007F` is 127.0.0.1. */
export function findListeners(port: number): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[3] === '0A' && fields[1]?.endsWith(`:${wanted}`))
      .map((fields) => fields[1]?.split(':')[0] ?? ''),
  );
}

function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}
