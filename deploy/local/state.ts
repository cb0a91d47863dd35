import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Reads a small JSON object that an earlier run kept. A missing or broken file counts as an empty object. */
export function readState(file: string): Record<string, unknown> {
  try {
    const state: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof state === 'object' && state !== null ? { ...state } : {};
  } catch {
    return {};
  }
}

/** Replaces a file in one step. Only its owner can read it: the state holds passwords and tokens. */
export function writePrivateFile(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.new`;
  writeFileSync(draft, content, { mode: 0o600 });
  renameSync(draft, file);
}

/** Keeps a small JSON object for the next run. */
export function writeState(file: string, state: Record<string, unknown>): void {
  writePrivateFile(file, `${JSON.stringify(state, null, 2)}\n`);
}
