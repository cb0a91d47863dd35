import { expect } from 'chai';
import type { Sealift } from '../../support/sealift.ts';
import { done, from, makeRole, startWithMethods } from '../auth/support.ts';

describe('addresses that a proxy forwards', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startWithMethods('approle');
  });
  after(() => sealift.stop());

  const logIn = async (credentials: object, address: string): Promise<number> =>
    (await sealift.client.post('/v1/auth/approle/login', credentials, from(address))).status;

  // The statuses of five wrong secret ids and then the right one, each from one of the addresses.
  const statusesOf = async (name: string, addresses: string[]): Promise<number[]> => {
    const credentials = await makeRole(sealift, {}, { name });
    const statuses: number[] = [];
    for (const [index, address] of addresses.entries())
      statuses.push(await logIn(index === 5 ? credentials : { ...credentials, secret_id: 'wrong' }, address));
    return statuses;
  };
  const LOCKED = [400, 400, 400, 400, 400, 403];

  it('a port does not make a client another one', async () => {
    const four = [
      '9.8.7.6:1000',
      '9.8.7.6:1001',
      '9.8.7.6',
      '[::ffff:9.8.7.6]:80',
      '"9.8.7.6"',
      '"9.8.7.6:1"',
    ];
    expect(await statusesOf('four', four)).to.deep.equal(LOCKED);
    const six = [
      '[2001:db8::1]:80',
      '[2001:db8::1]',
      '2001:db8::2',
      '"[2001:db8::3]:1"',
      '2001:db8::4',
      '[2001:DB8::1]:2',
    ];
    expect(await statusesOf('six', six)).to.deep.equal(LOCKED);
  });

  it('an entry that is no address is taken for the address of the connection', async () => {
    const odd = ['g1', '1.2.3.4,', '1.2.3.4.5:6', '[::1', '"1.2.3.4', '127.0.0.1'];
    expect(await statusesOf('odd', odd)).to.deep.equal(LOCKED);
  });

  it('networks that a token is bound to are those without the port', async () => {
    const credentials = await makeRole(sealift, { token_bound_cidrs: '10.1.0.0/16' }, { name: 'bound' });
    const login = sealift.client.post('/v1/auth/approle/login', credentials, from('10.1.0.1:4711'));
    const token = (await done(login)).body.auth.client_token as string;
    const use = async (address: string): Promise<number> =>
      (await sealift.client.get('/v1/auth/token/lookup-self', from(address, { token }))).status;
    expect(await use('10.1.2.3:99')).to.equal(200);
    expect(await use('10.2.0.1:99')).to.equal(403);
    expect(await use('10.1.2.3.4')).to.equal(403);
  });
});
