import { parser } from '@prometheus-io/lezer-promql';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { definitions, type MetricDefinition } from '../../libs/metrics/definitions.ts';
import { createMetrics } from '../../libs/metrics/metrics.ts';
import { chartFolder } from './chart.ts';

/** A PromQL expression, its place, and the labels that the texts beside it use. */
export type Query = { where: string; expression: string; shown: string[] };

type Rule = { alert: string; expr: string; annotations: Record<string, string> };
type Alerts = { groups: { rules: Rule[] }[] };
type Panel = { title: string; targets?: { expr: string; legendFormat: string }[] };
type Dashboard = { panels: Panel[]; templating: { list: { query: unknown }[] } };

// Labels that Prometheus adds, and labels of all our metrics.
const common = ['service', 'job', 'instance', 'le'];

/** All alert rules. */
export function readAlerts(): Rule[] {
  const { groups } = parse(readFileSync(join(chartFolder, 'files/alerts.yaml'), 'utf8')) as Alerts;
  return groups.flatMap(({ rules }) => rules);
}

/** All expressions of the alert rules and the dashboard. */
export function readQueries(): Query[] {
  const alerts = readAlerts().map(({ alert, expr, annotations }) => ({
    where: `alert ${alert}`,
    expression: expr,
    shown: matchAll(Object.values(annotations).join(' '), /\$labels\.(\w+)/g),
  }));
  const dashboard = JSON.parse(readFileSync(join(chartFolder, 'files/dashboard.json'), 'utf8')) as Dashboard;
  const panels = dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({
      where: `panel ${title}`,
      expression: expr.replaceAll('$__rate_interval', '5m'),
      shown: matchAll(legendFormat, /{{\s*(\w+)\s*}}/g),
    })),
  );
  const variables = JSON.stringify(dashboard.templating).matchAll(/label_values\((\w+), (\w+)\)/g);
  const lists = [...variables].map(([, metric = '', label = '']) => ({
    where: `variable ${label}`,
    expression: `sum by (${label}) (${metric})`,
    shown: [label],
  }));
  return [...alerts, ...panels, ...lists];
}

/** One sentence for each expression that does not parse, or that uses a metric or label that no process exposes. */
export async function findQueryFaults(queries: Query[]): Promise<string[]> {
  const known = await knownMetrics();
  return queries.flatMap(({ where, expression, shown }) => {
    const { isBroken, metrics, labels } = analyse(expression);
    if (isBroken) return [`${where}: ${expression} cannot be parsed`];
    const unknown = metrics.filter((name) => !known.has(name));
    const carried = new Set([...common, ...metrics.flatMap((name) => known.get(name) ?? [])]);
    const absent = [...labels, ...shown].filter((label) => !carried.has(label));
    return [
      ...unknown.map((name) => `${where}: no process exposes ${name}`),
      ...absent.map((label) => `${where}: its metrics have no label ${label}`),
      ...(metrics.length === 0 ? [`${where}: names no metric`] : []),
      ...findBlindSpots(expression).map((fault) => `${where}: ${fault}`),
    ];
  });
}

// An absent series has no rate, not even 0, and "absent + number" is absent. A series that begins with its first event
// shows no increase for it.
function findBlindSpots(expression: string): string[] {
  const text = expression.replaceAll(/\s+/g, ' ');
  const [, series, window] = /\(increase\(([^[]+)\[(\w+)\]\)\) > 0/.exec(text) ?? [];
  const isSeen = series === undefined || text.includes(`${series} unless ${series} offset ${window}`);
  return [
    ...(/rate\([^)]*\)\) == 0/.test(text) ? ['does not see a series that is absent: use unless'] : []),
    ...(/\) \+ sum\(/.test(text) ? ['adds a sum that may be absent: add (… or vector(0))'] : []),
    ...(isSeen ? [] : ['does not see the first event: add what was absent before (unless … offset)']),
  ];
}

function analyse(expression: string): { isBroken: boolean; metrics: string[]; labels: string[] } {
  const found = { isBroken: false, metrics: new Array<string>(), labels: new Array<string>() };
  parser.parse(expression).iterate({
    enter: ({ name, type, from, to }) => {
      if (type.isError) found.isBroken = true;
      if (name === 'Identifier') found.metrics.push(expression.slice(from, to));
      if (name === 'LabelName') found.labels.push(expression.slice(from, to));
    },
  });
  return found;
}

/** Labels by metric name: from the table for our metrics, from a real process for the runtime's. */
async function knownMetrics(): Promise<Map<string, readonly string[]>> {
  const metrics = createMetrics({ service: 'check' });
  metrics.watchProcess();
  const { body } = await metrics.render();
  const known = new Map<string, readonly string[]>(
    matchAll(body, /^# TYPE (\S+) /gm).map((name): [string, string[]] => [name, []]),
  );
  for (const { kind, name, labels } of Object.values<MetricDefinition>(definitions)) {
    known.set(name, labels);
    if (kind !== 'histogram') continue;
    for (const suffix of ['bucket', 'sum', 'count']) known.set(`${name}_${suffix}`, labels);
    known.delete(name);
  }
  return known;
}

function matchAll(text: string, expression: RegExp): string[] {
  return [...text.matchAll(expression)].flatMap(([, group]) => group ?? []);
}
