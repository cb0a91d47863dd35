import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../local/root.ts';

/** Destination types that have a worker of their own, from the tree. */
export function listConnectorTypes(): string[] {
  return listPrograms('services/connectors');
}

/** Every process that runs until it is told to stop, by the argument that the image takes. */
export function listProcesses(): string[] {
  const services = listPrograms('services').filter((name) => name !== 'cli');
  return [...services, ...listConnectorTypes().map((type) => `connector-${type}`)].sort();
}

function listPrograms(folder: string): string[] {
  return readdirSync(join(projectRoot, folder)).filter((name) =>
    existsSync(join(projectRoot, folder, name, 'main.ts')),
  );
}
