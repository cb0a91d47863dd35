import { join, relative } from 'node:path';
import { catalog } from '../../services/connectors/catalog.ts';
import { localDirectory, projectRoot } from './root.ts';
import { readState, writePrivateFile } from './state.ts';

/** The settings of a destination for each type, as the stand-ins accept them. */
export type StandInSettings = Record<string, Record<string, unknown>>;

/** The file in which the process of the stand-ins says what they accept. */
export const standInFile = join(localDirectory, 'stand-ins.json');

const keyFile = join(localDirectory, 'stand-in-google-key.json');

/** What to type for each store, one line each. Writes Google's key, which is too long to be typed, to a file. */
export function describeStandIns(): string[] {
  const settings = readState(standInFile) as StandInSettings;
  const key = settings['cloud3-sm']?.['credentials'];
  writePrivateFile(keyFile, typeof key === 'string' ? key : '');
  return standInLines(settings, relative(projectRoot, keyFile));
}

/** One line for each store; `file` holds Google's key. */
export function standInLines(settings: StandInSettings, file: string): string[] {
  return catalog.map(({ type, title }) => {
    const given = Object.entries(settings[type] ?? {}).map(([name, value]) =>
      name === 'credentials' ? `${name} = the content of ${file}` : `${name} = ${String(value)}`,
    );
    return `${title}: ${given.join(', ')}`;
  });
}
