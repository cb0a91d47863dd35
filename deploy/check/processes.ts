import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { catalog } from '../../services/connectors/catalog.ts';
import { projectRoot } from '../local/root.ts';

/** Destination types that have a worker of their own. */
export function listConnectorTypes(): string[] {
  return catalog.map(({ type }) => type).sort();
}

/** Every process that runs until it is told to stop, by the argument that the image takes. */
export function listProcesses(): string[] {
  const services = listPrograms('services').filter((name) => !['cli', 'connectors'].includes(name));
  return [...services, ...listConnectorTypes().map((type) => `connector-${type}`)].sort();
}

function listPrograms(folder: string): string[] {
  return readdirSync(join(projectRoot, folder)).filter((name) =>
    existsSync(join(projectRoot, folder, name, 'main.ts')),
  );
}
