import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '../local/root.ts';
import { run } from './run.ts';

/** What of a compose file the checks and tests look at. */
export type Compose = {
  services: Record<
    string,
    {
      command?: string[];
      user?: string;
      read_only?: boolean;
      healthcheck?: object;
      networks?: string[];
      volumes?: string[];
      environment?: Record<string, string>;
      depends_on?: Record<string, { condition: string }>;
    }
  >;
  networks: Record<string, { internal?: boolean }>;
};

const file = join(projectRoot, 'deploy/compose.yaml');

/** The file with its anchors resolved. */
export function readCompose(): Compose {
  return parse(readFileSync(file, 'utf8'), { merge: true }) as Compose;
}

/** The linter checks the published schema as well; the order of keys is a matter of taste. */
export async function findComposeFaults(): Promise<string[]> {
  const linter = join(projectRoot, 'node_modules/dclint/bin/dclint.cjs');
  const { code, output } = await run(process.execPath, [linter, '--quiet', '--formatter', 'unix', file]);
  return code === 0 ? [] : [`deploy/compose.yaml:\n${output}`];
}
