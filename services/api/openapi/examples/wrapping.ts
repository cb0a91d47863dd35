import type { Example } from '../example.ts';

const wrapInfo = {
  token: '<token>',
  accessor: 'NPzhqKHpOVm5YxGmXbGwcMyZ',
  ttl: 300,
  creation_time: '2026-01-15T09:00:00.000Z',
  creation_path: 'sys/wrapping/wrap',
  wrapped_accessor: '',
};

/** Wrapped answers, which can be fetched once, and what a token keeps for itself. */
export const wrappingExamples: Example[] = [
  {
    of: 'POST /sys/wrapping/wrap',
    name: 'Something of the caller',
    headers: { 'x-vault-wrap-ttl': '5m' },
    body: { password: 'example-value' },
    status: 200,
    wrapInfo,
    keep: { 'first-wrapping-token': 'wrap_info.token' },
  },
  {
    of: 'POST /sys/wrapping/lookup',
    name: 'What it is for',
    token: null,
    body: { token: '<first-wrapping-token>' },
    status: 200,
    data: {
      creation_path: 'sys/wrapping/wrap',
      creation_time: '2026-01-15T09:00:00.000Z',
      creation_ttl: 300,
    },
  },
  {
    of: 'POST /sys/wrapping/rewrap',
    name: 'A new token for it',
    token: null,
    body: { token: '<first-wrapping-token>' },
    status: 200,
    wrapInfo,
    keep: { 'wrapping-token': 'wrap_info.token' },
  },
  {
    of: 'POST /sys/wrapping/unwrap',
    name: 'Fetch it',
    token: null,
    body: { token: '<wrapping-token>' },
    status: 200,
    data: { password: 'example-value' },
  },
  {
    of: 'POST /cubbyhole/*path',
    name: 'Keep a value until the token ends',
    params: { path: 'build/42' },
    body: { password: 'example-value' },
    status: 204,
  },
  {
    of: 'GET /cubbyhole/*path',
    name: 'Read it',
    params: { path: 'build/42' },
    status: 200,
    data: { password: 'example-value' },
  },
  {
    of: 'LIST /cubbyhole{/*path}',
    name: 'List a folder',
    params: { path: 'build' },
    status: 200,
    data: { keys: ['42'] },
  },
  { of: 'LIST /cubbyhole{/*path}', name: 'List everything', status: 200, data: { keys: ['build/'] } },
  {
    of: 'DELETE /cubbyhole/*path',
    name: 'Delete it',
    params: { path: 'build/42' },
    status: 204,
  },
];
