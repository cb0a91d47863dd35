import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LoadedFiles } from './loaded-files.ts';
import { localDirectory, projectRoot } from './root.ts';
import { readState, writeState } from './state.ts';

const file = join(localDirectory, 'fingerprints.json');

/** One process of the stack: its compiled main file, what it is connected to, and how it is ended. */
export interface Replaceable {
  readonly name: string;
  readonly program: string;
  /** Files that the program names but never loads in this process. */
  readonly never?: readonly string[];
  readonly wiring: object;
  stop(): Promise<boolean>;
}

/**
 * Ends the process if it was started from other files, packages or wiring than it would be now. Remembers the present
 * ones for the next call, so the caller has to start what does not run.
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
