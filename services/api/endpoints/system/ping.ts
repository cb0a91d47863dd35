import { endpoint, type Endpoint } from '../../routing/endpoint.ts';

/** What admin clients call first: they read the headers only, the rate limit's among them. */
export const pingEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/api/v2/ping',
    access: 'public',
    summary: 'Says which API this is',
    handle: async () => ({
      status: 204,
      headers: { 'TFP-API-Version': '2.6', 'TFP-AppName': 'Sealift' },
    }),
  }),
];
