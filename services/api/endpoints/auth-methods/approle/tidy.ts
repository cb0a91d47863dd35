import { Type } from 'typebox';
import { deleteEndedSecretIds } from '../../../../../libs/store/auth/secret-ids.ts';
import { endpoint, isThere, type Endpoint } from '../../../routing/endpoint.ts';
import { authMountOf } from '../token-rules.ts';

// Clients compare this text, and show it to people who look for what came of it.
const STARTED =
  "Tidy operation successfully started. Any information from the operation will be printed to Vault's server logs.";

/** Deletes what is left of secret ids that nobody can use any more. */
export const tidyEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/~approle/tidy/secret-id',
    alsoMethods: ['PUT'],
    access: 'policy',
    exists: isThere,
    summary: 'Delete expired and used-up secret ids now; a job also does this regularly',
    answers: { 202: { data: Type.Null() } },
    handle: async (request) => {
      const { services, warn, note } = request;
      const { id, path } = authMountOf(request);
      const deleted = await deleteEndedSecretIds(services.db, id, services.config.BATCH_ROWS);
      note({ mount: path, deleted });
      services.log.info({ mount: path, deleted }, 'expired and used-up secret ids were deleted');
      warn(STARTED);
      return { status: 202 };
    },
  }),
];
