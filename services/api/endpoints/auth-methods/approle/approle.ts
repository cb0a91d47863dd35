import type { Endpoint } from '../../../routing/endpoint.ts';
import { appRoleLogIn } from './log-in.ts';
import { appRoleEndpoints } from './role.ts';
import { secretIdEndpoints } from './secret-ids.ts';
import { tidyEndpoints } from './tidy.ts';

/** AppRole: a machine logs in with the id of a role and a secret. */
export const appRoleMethodEndpoints: Endpoint[] = [
  ...appRoleLogIn,
  ...appRoleEndpoints,
  ...secretIdEndpoints,
  ...tidyEndpoints,
];
