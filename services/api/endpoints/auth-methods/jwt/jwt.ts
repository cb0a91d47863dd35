import type { Endpoint } from '../../../routing/endpoint.ts';
import { jwtConfigEndpoints } from './config.ts';
import { jwtLogIn } from './log-in.ts';
import { jwtRoleEndpoints } from './role.ts';

/** JWT: a machine logs in with a token that an issuer gave it, such as a CI system, a cluster or a cloud. */
export const jwtMethodEndpoints: Endpoint[] = [...jwtLogIn, ...jwtConfigEndpoints, ...jwtRoleEndpoints];
