import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../local/root.ts';
import { findProgram } from '../local/binaries.ts';
import { run } from './run.ts';

export const systemdFolder = join(projectRoot, 'deploy/systemd');

/** The faults that systemd itself reports for the units; none if this machine has no systemd. */
export async function findUnitFaults(): Promise<string[]> {
  const analyze = findProgram('systemd-analyze');
  if (!analyze) return [];
  const folder = mkdtempSync(join(tmpdir(), 'sealift-units-'));
  try {
    const units = readdirSync(systemdFolder).filter((name) => /\.(?:service|target)$/.test(name));
    cpSync(systemdFolder, folder, { recursive: true });
    for (const name of units) {
      // Only the target host has the program, not this machine.
      const text = readFileSync(join(folder, name), 'utf8');
      writeFileSync(join(folder, name), text.replaceAll('/opt/sealift/', `${projectRoot}/deploy/container/`));
    }
    const files = units.map((name) => join(folder, name));
    const { code, output } = await run(analyze, ['verify', '--man=no', ...files]);
    return code === 0 && output.trim() === '' ? [] : [`deploy/systemd: ${output}`];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
