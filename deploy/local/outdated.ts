import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LoadedFiles } from './loaded-files.ts';
import { localDirectory, projectRoot } from './root.ts';
import { readState, writeState } from './state.ts';

const file = join(localDirectory, 'fingerprints.json');

/** One process of the stack: its compiled main file, its connections, and how to stop it. */
export interface Replaceable {
  readonly name: string;
  readonly program: string;
  /** Files that the program imports by name but never loads in this process. */
  readonly never?: readonly string[];
  readonly wiring: object;
  stop(): Promise<boolean>;
}

/**
 * Stops the process if its files, packages or connections have changed since it was started. Remembers the present ones
 * for the next call, so the caller has to start whatever does not run.
 */
export async function stopOutdated(process: Replaceable, files: LoadedFiles): Promise<void> {
  const packages = readFileSync(join(projectRoot, 'package-lock.json'), 'utf8');
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([files.fingerprint(process.program, process.never), process.wiring, packages]))
    .digest('hex');
  if (readState(file)[process.name] === fingerprint) return;
  await process.stop();
  writeState(file, { ...readState(file), [process.name]: fingerprint });
}
