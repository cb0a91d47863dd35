import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { catalog } from '../../services/connectors/catalog.ts';
import { projectRoot } from '../local/root.ts';

/** Destination types with their own worker. */
export function listConnectorTypes(): string[] {
  return catalog.map(({ type }) => type).sort();
}

/** All long-running processes, by the argument of the image. */
export function listProcesses(): string[] {
  const services = listPrograms('services').filter((name) => !['cli', 'connectors'].includes(name));
  return [...services, ...listConnectorTypes().map((type) => `connector-${type}`)].sort();
}

function listPrograms(folder: string): string[] {
  return readdirSync(join(projectRoot, folder)).filter((name) =>
    existsSync(join(projectRoot, folder, name, 'main.ts')),
  );
}
