import { expect } from 'chai';
import type { Sealift } from '../../support/sealift.ts';
import { done, startWithMethods } from './support.ts';

const ALL = ['0.0.0.0/0', '::/0'];
const OPEN = 'this role lets in ';

type Row = [what: string, type: string, role: object, isOpen: boolean];

const jwt = (role: object) => ({ user_claim: 'sub', bound_audiences: 'sealift', ...role });
const globs = (bound_claims: object) => jwt({ bound_claims, bound_claims_type: 'glob' });
const byId = (role: object) => ({ bind_secret_id: false, ...role });
const pods = (names: string, namespaces: string, role: object = {}) => ({
  bound_service_account_names: names,
  bound_service_account_namespaces: namespaces,
  audience: 'sealift',
  ...role,
});

const ROWS: Row[] = [
  ['an audience alone', 'jwt', jwt({}), true],
  ['all addresses alone', 'jwt', { user_claim: 'sub', token_bound_cidrs: ALL }, true],
  ['a claim of any text', 'jwt', globs({ sub: '*' }), true],
  ['claims of which each may be any text', 'jwt', globs({ sub: ['a', '**'], ref: '*' }), true],
  ['a subject', 'jwt', jwt({ bound_subject: 'me' }), false],
  ['a claim', 'jwt', jwt({ bound_claims: { sub: 'me' } }), false],
  ['a claim that is a star to the letter', 'jwt', jwt({ bound_claims: { sub: '*' } }), false],
  ['a claim with a beginning', 'jwt', globs({ sub: 'me*', ref: '*' }), false],
  ['an audience and some addresses', 'jwt', jwt({ token_bound_cidrs: '10.0.0.0/8' }), false],
  ['no secret ID and all addresses', 'approle', byId({ token_bound_cidrs: ALL }), true],
  ['no secret ID and all of IPv4', 'approle', byId({ secret_id_bound_cidrs: '0.0.0.0/0' }), true],
  ['no secret ID and some addresses', 'approle', byId({ token_bound_cidrs: '10.0.0.0/8' }), false],
  [
    'no secret ID and some addresses in one of two lists',
    'approle',
    byId({ token_bound_cidrs: ALL, secret_id_bound_cidrs: '10.0.0.0/8' }),
    false,
  ],
  ['a secret ID from all addresses', 'approle', { token_bound_cidrs: ALL }, false],
  ['any account of any namespace', 'kubernetes', pods('*', '*'), true],
  ['any account of one namespace', 'kubernetes', pods('*', 'shop'), false],
  ['one account of any namespace', 'kubernetes', pods('api', '*'), false],
  [
    'any account from some addresses',
    'kubernetes',
    pods('*', '*', { token_bound_cidrs: '10.0.0.0/8' }),
    false,
  ],
];

describe('roles that let everybody in', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startWithMethods('jwt', 'approle', 'kubernetes');
  });
  after(() => sealift.stop());

  for (const [what, type, role, isOpen] of ROWS)
    it(`a role of ${type} that asks for ${what} is made ${isOpen ? 'with' : 'without'} a warning`, async () => {
      const path = `/v1/auth/${type}/role/${ROWS.findIndex(([name]) => name === what)}`;
      const { body } = await done(sealift.client.post(path, { token_policies: 'app', ...role }));
      const warnings: string[] = body?.warnings ?? [];
      expect(warnings.filter((warning) => warning.startsWith(OPEN))).to.have.length(isOpen ? 1 : 0);
    });
});
