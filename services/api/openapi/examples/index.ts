import type { Example } from '../example.ts';
import { authMethodExamples } from './auth/auth-methods.ts';
import { systemExamples } from './system.ts';
import { accessExamples, oidcExamples } from './access.ts';
import { alertExamples } from './alerts.ts';
import { sessionExamples, tokensExamples } from './tokens.ts';
import { mountsExamples } from './mounts.ts';
import { kvExamples } from './kv.ts';
import { destinationsExamples } from './destinations.ts';
import { associationsExamples } from './associations.ts';
import { maintenanceExamples, settingsExamples } from './settings.ts';
import { policyEngineVersionExamples } from './policy-engine-versions.ts';
import { wrappingExamples } from './wrapping.ts';

/** Every example, in an order that works on a new installation with a mount `secret` of version 2. */
export const exampleTables: Example[][] = [
  systemExamples,
  oidcExamples,
  authMethodExamples,
  sessionExamples,
  accessExamples,
  alertExamples,
  tokensExamples,
  wrappingExamples,
  mountsExamples,
  kvExamples,
  destinationsExamples,
  associationsExamples,
  settingsExamples,
  maintenanceExamples,
  policyEngineVersionExamples,
];
