import { readFileSync } from 'node:fs';
import type { ServiceProcess } from '../../test/support/child-process.ts';

/** Resident memory of a service in MiB, from its metrics. */
export async function residentMiB(service: ServiceProcess): Promise<number> {
  return (await readMetric(service, 'process_resident_memory_bytes')) / 2 ** 20;
}

/** Processor seconds that a service has used, from its metrics. */
export function processorSeconds(service: ServiceProcess): Promise<number> {
  return readMetric(service, 'process_cpu_seconds_total');
}

async function readMetric(service: ServiceProcess, name: string): Promise<number> {
  const text = await (await fetch(`${service.healthUrl}/metrics`)).text();
  const figure = new RegExp(String.raw`^${name}(?:\{[^}]*\})? (\S+)`, 'm').exec(text)?.[1];
  if (figure === undefined) throw new Error(`the process does not tell ${name}`);
  return Number(figure);
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
