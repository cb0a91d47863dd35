import { Type } from 'typebox';
import { permissionDenied, unavailable } from '../../../../libs/errors/request-error.ts';
import { ROOT_NAMESPACE } from '../../../../libs/store/access/namespaces.ts';
import { readMasterKeyStatus } from '../../../../libs/store/maintenance/master-keys.ts';
import { endpoint, ok, type Endpoint } from '../../routing/endpoint.ts';
import { closed, time } from '../../contract/schema.ts';

const keyStatusAnswer = closed({
  term: Type.Integer(),
  install_time: time,
  encryptions: Type.Integer(),
});

/** The status of the master key. Each value has its own data key, and the master key wraps these. */
export const keyStatusEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/sys/key-status',
    access: 'policy',
    summary:
      'Read the number of the current master key, its installation time, and how many values it encrypts',
    answers: { 200: { data: keyStatusAnswer } },
    handle: async ({ services, namespace }) => {
      if (namespace.id !== ROOT_NAMESPACE.id)
        throw permissionDenied('this API is reserved to the root namespace');
      const status = await readMasterKeyStatus(services.db, services.keyring.current.id);
      if (!status) throw unavailable('the master key is not registered yet');
      const { term, installedAt, values } = status;
      return ok({ term, install_time: installedAt.toISOString(), encryptions: values });
    },
  }),
];
