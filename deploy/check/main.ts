import { findComposeFaults } from './compose.ts';
import { renderChart } from './chart.ts';
import { findFragmentFaults } from './fragments.ts';
import { findDockerfileFaults } from './dockerfile.ts';
import { findManifestFaults } from './kubernetes.ts';
import { findManualFaults } from './manual.ts';
import { findQueryFaults, readQueries } from './queries.ts';
import { findUnitFaults } from './systemd.ts';

// Lints and validates all files for other programs: chart, compose files, Dockerfile, units, rules and dashboard.
const results = await Promise.all([
  renderChart().then(findManifestFaults, describe),
  findComposeFaults(),
  findUnitFaults(),
  findQueryFaults(readQueries()),
  findFragmentFaults(),
]);
const faults = [...results.flat(), ...findDockerfileFaults(), ...findManualFaults()];
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;

function describe(error: unknown): string[] {
  return [error instanceof Error ? error.message : String(error)];
}
