import { readFileSync } from 'node:fs';
import type { ServiceProcess } from '../../test/support/child-process.ts';

/** Resident memory of a service in MiB, from its metrics. */
export async function residentMiB(service: ServiceProcess): Promise<number> {
  const text = await (await fetch(`${service.healthUrl}/metrics`)).text();
  const bytes = /^process_resident_memory_bytes(?:\{[^}]*\})? (\S+)/m.exec(text)?.[1];
  if (bytes === undefined) throw new Error('the process does not tell its memory');
  return Number(bytes) / 2 ** 20;
}

/** Describes the machine, for the head of a report. */
export function describeMachine(): string {
  try {
    const text = readFileSync('/proc/cpuinfo', 'utf8');
    const model = /^model name\s*: (.*)$/m.exec(text)?.[1] ?? 'unknown processor';
    return `${(text.match(/^processor/gm) ?? []).length} × ${model.trim()}`;
  } catch {
    return 'unknown processor';
  }
}
