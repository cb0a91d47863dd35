import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { definitions, type MetricDefinition } from '../../libs/metrics/definitions.ts';
import { projectRoot } from '../local/root.ts';
import { readAlerts } from './queries.ts';

/** The operator's manual must have exactly one row for each metric, with its labels, and one for each alert. */
export function findManualFaults(): string[] {
  const manual = readFileSync(join(projectRoot, 'docs/operations.md'), 'utf8');
  const rows = manual.split('\n').filter((line) => line.startsWith('|'));
  const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()));
  const metrics = Object.values<MetricDefinition>(definitions).map(({ name, labels }) => [
    `\`${name}\``,
    labels.map((label) => `\`${label}\``).join(', '),
  ]);
  const missing = metrics.filter(
    ([name, labels]) => !cells.some((row) => row[1] === name && row[2] === labels),
  );
  const alerts = readAlerts().map(({ alert }) => `\`${alert}\``);
  const silent = alerts.filter((alert) => !cells.some((row) => row[1] === alert));
  const known = new Set([...metrics.map(([name]) => name), ...alerts]);
  const stale = cells.flatMap((row) =>
    /^`sealift_|^`Sealift/.test(row[1] ?? '') && !known.has(row[1]) ? [row[1]] : [],
  );
  return [
    ...missing.map(([name, labels]) => `docs/operations.md has no row | ${name} | ${labels} |`),
    ...silent.map((alert) => `docs/operations.md has no row for the alert ${alert}`),
    ...stale.map((name) => `docs/operations.md tells of ${name}, which does not exist`),
  ];
}
