import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Destination } from '../../libs/connector/contract.ts';
import { projectRoot } from './root.ts';

/** The bundled connector of each destination type. Only the workers of that type load it. */
export async function findConnectorFiles(): Promise<Map<string, string>> {
  const folder = join(projectRoot, 'dist/services/connectors');
  const found = new Map<string, string>();
  for (const name of readdirSync(folder)) {
    const file = join(folder, name, 'destination.js');
    if (!existsSync(file)) continue;
    const { destination } = (await import(pathToFileURL(file).href)) as { destination: Destination };
    found.set(destination.type, join(projectRoot, 'dist/programs/connectors', `${name}.js`));
  }
  return found;
}
