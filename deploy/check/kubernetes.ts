import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { localDirectory, projectRoot } from '../local/root.ts';
import type { Manifest, Rendering } from './chart.ts';
import { run } from './run.ts';

// The package with the published models of each API group; core objects have no group.
const packages: Record<string, string> = {
  'keda.sh': '@kubernetes-models/keda',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
};

type Model = new (data: Manifest) => { validate: () => void };

/**
 * One sentence for each fault of a manifest. The models' validators check required fields, types and formats. The compiler
 * checks field names against the same models' types, so it finds a misspelt one.
 */
export async function findManifestFaults(renderings: Rendering[]): Promise<string[]> {
  const all = renderings.flatMap(({ variant, manifests }) =>
    manifests.map((manifest) => ({
      label: `${variant}: ${manifest.kind} ${manifest.metadata.name}`,
      manifest,
    })),
  );
  const faults = await Promise.all(all.map(({ manifest }) => validate(manifest)));
  const invalid = faults.flatMap((fault, index) => (fault ? [`${all[index]?.label}: ${fault}`] : []));
  return [...invalid, ...(await compile(all))];
}

function modelOf({ apiVersion, kind }: Manifest): string {
  const group = apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
  return `${packages[group] ?? 'kubernetes-models'}/${apiVersion}/${kind}`;
}

async function validate(manifest: Manifest): Promise<string | undefined> {
  try {
    const models = (await import(modelOf(manifest))) as Record<string, Model | undefined>;
    const model = models[manifest.kind];
    if (!model) return 'no model describes it';
    new model(manifest).validate();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function compile(all: { label: string; manifest: Manifest }[]): Promise<string[]> {
  // Inside the project, so that the compiler finds the models.
  const folder = join(localDirectory, `check-deploy-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  try {
    const imports = new Set(all.map(({ manifest }) => modelOf(manifest)));
    const aliases = new Map([...imports].map((model, index) => [model, `Model${index}`]));
    const lines = [
      ...[...aliases].map(
        ([model, alias]) => `import type { I${model.split('/').pop()} as ${alias} } from '${model}';`,
      ),
      ...all.map(
        ({ manifest }, index) =>
          `export const manifest${index}: ${aliases.get(modelOf(manifest))} = ${JSON.stringify(manifest)};`,
      ),
    ];
    const file = join(folder, 'manifests.ts');
    writeFileSync(file, `${lines.join('\n')}\n`);
    const options = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--target',
      'es2022',
      '--types',
      '',
    ];
    const modules = ['--module', 'esnext', '--moduleResolution', 'bundler'];
    const compiler = join(projectRoot, 'node_modules/typescript/bin/tsc');
    const { code, output } = await run(process.execPath, [compiler, ...options, ...modules, file]);
    if (code === 0) return [];
    const first = aliases.size + 1;
    return output
      .split('\n')
      .filter((line) => line.includes('error TS'))
      .map((line) => {
        const index = Number(/manifests\.ts\((\d+),/.exec(line)?.[1]) - first;
        return `${all[index]?.label ?? 'models'}: ${line.replace(/^.*error TS\d+: /, '').slice(0, 500)}`;
      });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
