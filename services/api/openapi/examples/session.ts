import type { Example } from '../example.ts';

const session = {
  csrf: 'wBWnWf4ay0bYAAM1zBcBhHrA1pnBqCEvyk8dvZ0V1vQ',
  accessor: '0f3a91c2b7d84e5f9a6b1c3d',
  display_name: 'root',
  policies: ['root'],
  namespace_path: '',
  created_time: '2026-01-15T09:30:00.000Z',
  expire_time: '2026-01-15T21:30:00.000Z',
  idle_seconds: 1800,
};

/** Sessions of browsers. */
export const sessionExamples: Example[] = [
  {
    of: 'POST /auth/session',
    name: 'Begin a session',
    headers: { 'sec-fetch-site': 'same-origin' },
    status: 200,
    data: session,
  },
  { of: 'GET /auth/session', name: 'Nobody is signed in', token: null, status: 204 },
  { of: 'DELETE /auth/session', name: 'No session is left', status: 204 },
];
