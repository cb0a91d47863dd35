import type { Endpoint } from '../../routing/endpoint.ts';
import { kvConfigEndpoints } from './config.ts';
import { kvDataEndpoints } from './data.ts';
import { kvDiffEndpoints } from './diff.ts';
import { kvInvalidEndpoints } from './invalid.ts';
import { listRow } from './list.ts';
import { kvMetadataEndpoints } from './metadata.ts';
import { kvSubkeyEndpoints } from './subkeys.ts';
import { kvVersionEndpoints } from './versions.ts';
import { kv1Endpoints } from './version-one.ts';

/** All endpoints within mounts. The order matters only for the last rows, which take what no other row matches. */
export const kvEndpoints: Endpoint[] = [
  ...kvConfigEndpoints,
  ...kvDataEndpoints,
  listRow('/~kv2/metadata{/*path}', (rest) => rest.split('/').slice(1).join('/')),
  ...kvMetadataEndpoints,
  ...kvVersionEndpoints,
  ...kvSubkeyEndpoints,
  ...kvDiffEndpoints,
  ...kv1Endpoints,
  ...kvInvalidEndpoints,
];
