import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { projectRoot } from '../local/root.ts';
import { findHelm } from './helm.ts';
import { run } from './run.ts';

/** A Kubernetes object as JSON. */
export type Manifest = {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  [field: string]: unknown;
};

/** The chart's output for one values file. `variant` is the name of the file, or `defaults`. */
export type Rendering = { variant: string; manifests: Manifest[] };

export const chartFolder = join(projectRoot, 'deploy/chart');

/** Lints and renders the chart with its defaults and each documented variant (`ci/*.yaml`). Throws helm's own message. */
export async function renderChart(): Promise<Rendering[]> {
  const variants = readdirSync(join(chartFolder, 'ci')).sort();
  return Promise.all(['defaults', ...variants].map(render));
}

/** Renders the chart with further values. Exit code 0 means that helm accepted them. */
export async function tryValues(values: string[]): Promise<{ code: number; output: string }> {
  const words = values.flatMap((value) => ['--set', value]);
  return run(await findHelm(), ['template', 'sealift', chartFolder, ...words]);
}

async function render(variant: string): Promise<Rendering> {
  const helm = await findHelm();
  const values = variant === 'defaults' ? [] : ['--values', join(chartFolder, 'ci', variant)];
  const lint = await run(helm, ['lint', '--strict', chartFolder, ...values]);
  if (lint.code !== 0) throw new Error(`helm lint (${variant}): ${lint.output}`);
  const template = await run(helm, ['template', 'sealift', chartFolder, '--namespace', 'sealift', ...values]);
  if (template.code !== 0) throw new Error(`helm template (${variant}): ${template.output}`);
  const documents = parseAllDocuments(template.stdout);
  if (!Array.isArray(documents)) throw new Error(`helm template (${variant}) renders nothing`);
  const manifests = documents.flatMap((document) => {
    if (document.errors[0]) throw new Error(`${variant}: ${document.errors[0].message}`);
    const manifest = document.toJS() as Manifest | null;
    return manifest === null ? [] : [manifest];
  });
  return { variant, manifests };
}
