import { endpoint, type Endpoint } from '../../routing/endpoint.ts';

/** Admin clients call this first. They read the headers only, including those of the rate limit. */
export const pingEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/api/v2/ping',
    access: 'public',
    summary: 'Name this API and its version, in the headers of an empty answer',
    answers: { 204: {} },
    handle: async () => ({
      status: 204,
      headers: { 'TFP-API-Version': '2.6', 'TFP-AppName': 'Sealift' },
    }),
  }),
];
