import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, YAMLSeq } from 'yaml';
import { projectRoot } from '../local/root.ts';
import { run } from './run.ts';

/** The parts of a compose file that checks and tests read. */
export type Compose = {
  services: Record<
    string,
    {
      entrypoint?: string[];
      command?: string[];
      user?: string;
      read_only?: boolean;
      healthcheck?: { test: string[] };
      networks?: string[];
      volumes?: string[];
      environment?: Record<string, string>;
      hostname?: string;
      profiles?: string[];
      deploy?: { replicas?: number };
      depends_on?: Record<string, { condition: string }>;
    }
  >;
  networks: Record<string, { internal?: boolean }>;
};

/** The single-machine file, and the overrides that make it highly available or put all of it into one process. */
export const composeFiles = ['compose.yaml', 'compose.ha.yaml', 'compose.one.yaml'] as const;

/** Parses one of the files with its anchors resolved. Ignores the tags that control how the files are merged. */
export function readCompose(file: (typeof composeFiles)[number] = 'compose.yaml'): Compose {
  const customTags = ['!override', '!reset'].map((tag) => ({
    tag,
    collection: 'seq' as const,
    nodeClass: YAMLSeq,
  }));
  return parse(readFileSync(pathOf(file), 'utf8'), { merge: true, customTags }) as Compose;
}

/** Lints the compose files and checks them against the published schema. The order of keys is a matter of taste. */
export async function findComposeFaults(): Promise<string[]> {
  const linter = join(projectRoot, 'node_modules/dclint/bin/dclint.cjs');
  const words = [linter, '--quiet', '--formatter', 'unix', ...composeFiles.map(pathOf)];
  const { code, output } = await run(process.execPath, words);
  return code === 0 ? [] : [`deploy: ${output}`];
}

function pathOf(file: string): string {
  return join(projectRoot, 'deploy', file);
}
