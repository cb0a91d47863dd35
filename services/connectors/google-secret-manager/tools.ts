import type { Invoke } from './client.ts';
import type { Cloud3SmSettings } from './destination.ts';
import type { Unsettled } from './unsettled.ts';

/** What the verbs work with. */
export type Tools = {
  invoke: Invoke;
  projectId: string;
  installation: string;
  settings: Cloud3SmSettings;
  unsettled: Unsettled;
};

/** The project as the API spells it. */
export function projectPath({ projectId }: Pick<Tools, 'projectId'>): string {
  return `projects/${projectId}`;
}

/** A secret as the API spells it. */
export function secretPath(tools: Pick<Tools, 'projectId'>, name: string): string {
  return `${projectPath(tools)}/secrets/${name}`;
}
