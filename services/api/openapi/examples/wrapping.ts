import type { Example } from '../example.ts';

const wrapInfo = {
  token: '<token>',
  accessor: 'NPzhqKHpOVm5YxGmXbGwcMyZ',
  ttl: 300,
  creation_time: '2026-01-15T09:00:00.000Z',
  creation_path: 'sys/wrapping/wrap',
  wrapped_accessor: '',
};

/** Wrapped answers, which can be fetched once. */
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
];
