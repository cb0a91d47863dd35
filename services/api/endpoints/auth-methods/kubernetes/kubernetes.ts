import type { Endpoint } from '../../../routing/endpoint.ts';
import { kubernetesCheckEndpoints } from './check.ts';
import { kubernetesConfigEndpoints } from './config.ts';
import { kubernetesLogIn } from './log-in.ts';
import { kubernetesRoleEndpoints } from './role.ts';

/** Kubernetes: a pod logs in with the token of its service account. */
export const kubernetesMethodEndpoints: Endpoint[] = [
  ...kubernetesLogIn,
  ...kubernetesConfigEndpoints,
  ...kubernetesCheckEndpoints,
  ...kubernetesRoleEndpoints,
];
