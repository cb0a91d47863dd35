import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../../libs/config/package-root.ts';

const run = promisify(execFile);

/** The blocks of a page of the documentation with a language and a store: `sh aws`, `json aws`. */
export function blocksOf(language: string, store: string, page = 'identity.md'): string[] {
  const manual = readFileSync(join(packageRoot, 'docs', page), 'utf8');
  const blocks = manual.matchAll(new RegExp(`^\`\`\`${language} ${store}\n([^]*?)^\`\`\`$`, 'gm'));
  return [...blocks].map(([, text = '']) => text);
}

/** Runs the commands of a block. Returns the last line that they print. */
export async function runBlock(block: string, environment: Record<string, string>): Promise<string> {
  const script = block.replaceAll('curl ', "curl --silent --show-error --fail-with-body --write-out '\\n' ");
  const { stdout } = await run('bash', ['-ec', script], {
    env: { ...process.env, ...environment },
    timeout: 20_000,
  });
  return stdout.trim().split('\n').at(-1) ?? '';
}
