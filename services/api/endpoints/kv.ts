import type { Endpoint } from '../endpoint.ts';
import { kvConfigEndpoints } from './kv-config.ts';
import { kvDataEndpoints } from './kv-data.ts';
import { kvInvalidEndpoints } from './kv-invalid.ts';
import { listRow } from './kv-list.ts';
import { kvMetadataEndpoints } from './kv-metadata.ts';
import { kvSubkeyEndpoints } from './kv-subkeys.ts';
import { kvVersionEndpoints } from './kv-versions.ts';
import { kv1Endpoints } from './kv1.ts';

/** Everything within mounts; the order matters only in that the last rows take what no other has. */
export const kvEndpoints: Endpoint[] = [
  ...kvConfigEndpoints,
  ...kvDataEndpoints,
  listRow('/~kv2/metadata{/*path}', (rest) => rest.split('/').slice(1).join('/')),
  ...kvMetadataEndpoints,
  ...kvVersionEndpoints,
  ...kvSubkeyEndpoints,
  ...kv1Endpoints,
  ...kvInvalidEndpoints,
];
