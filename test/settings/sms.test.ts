import { expect } from 'chai';
import { startSmsFake, type SmsFake } from '../sandbox/sms/fake.ts';
import { pathOf, startAdmin, type AdminSealift } from './support/admin.ts';

const SID = `AC${'0'.repeat(32)}`;
const account = { 'account-sid': SID, 'auth-token': 'right', 'from-number': '+15005550006' };

describe('SMS verification', () => {
  let sealift: AdminSealift;
  let fake: SmsFake;

  before(async () => {
    fake = await startSmsFake();
    fake.addAccount({ sid: SID, token: 'right', numbers: ['+15005550006'] });
    sealift = await startAdmin({ environment: { SMS_API_URL: fake.url } });
  });

  after(async () => {
    await sealift.stop();
    await fake.close();
  });

  beforeEach(async () => {
    fake.messages.length = 0;
    fake.fail(undefined);
    await sealift.forget('sms');
  });

  const verify = (number?: unknown, method = 'POST') =>
    sealift.client.call(method, `${pathOf('sms')}/verify`, {
      data: { attributes: { 'test-number': number } },
    });

  for (const method of ['POST', 'PATCH']) {
    it(`a verification by ${method} sends one message and answers 200 without a body`, async () => {
      await sealift.change('sms', { enabled: true, ...account });
      const answer = await verify('555-555-5555', method);
      expect(answer.status, answer.text).to.equal(200);
      expect(answer.text).to.equal('');
      expect(fake.messages).to.have.length(1);
      expect(fake.messages[0]).to.include({ accountSid: SID, from: '+15005550006', to: '555-555-5555' });
    });
  }

  it('a verification without a number is refused with 400', async () => {
    await sealift.change('sms', { enabled: true, ...account });
    for (const number of [undefined, null, '', '  ']) {
      const answer = await verify(number);
      expect(answer.status).to.equal(400);
      expect(answer.body.errors[0]).to.include({ status: '400', title: 'bad request' });
    }
    expect((await sealift.client.post(`${pathOf('sms')}/verify`, {})).status).to.equal(400);
    expect(fake.messages).to.deep.equal([]);
  });

  it('a number of the wrong type is refused with 422', async () => {
    expect((await verify(5)).status).to.equal(422);
  });

  it('an account that no header or form carries as written is refused where it enters', async () => {
    for (const [name, value] of [
      ['auth-token', 'right\n'],
      ['auth-token', 'right\r\nX-Injected: 1'],
      ['auth-token', ' right'],
      ['auth-token', 'rïght'],
      ['from-number', '+15005550006\n'],
      ['account-sid', `${SID}/../x`],
      ['account-sid', `${SID}\n`],
    ] as const) {
      const answer = await sealift.change('sms', { enabled: true, ...account, [name]: value });
      expect(answer.status, `${name} ${JSON.stringify(value)}`).to.equal(422);
      expect(answer.body.errors[0].source.pointer).to.equal(`/data/attributes/${name}`);
    }
  });

  it('a login at a mail server that would end its line is refused where it enters', async () => {
    const smtp = {
      enabled: true,
      host: 'mail.example',
      port: 25,
      sender: 'a@example.com',
      auth: 'plain',
      username: 'u',
      password: 'p',
    };
    for (const [name, value] of [
      ['username', 'sea\0lift'],
      ['username', 'sealift\r\nRCPT TO:<x@example.com>'],
      ['password', 'right\n'],
      ['password', 'ri\0ght'],
    ] as const) {
      const answer = await sealift.change('smtp', { ...smtp, [name]: value });
      expect(answer.status, `${name} ${JSON.stringify(value)}`).to.equal(422);
      expect(answer.body.errors[0].source.pointer).to.equal(`/data/attributes/${name}`);
    }
  });

  it('a verification is refused with 400 while the provider is disabled', async () => {
    await sealift.change('sms', { enabled: false, ...account });
    const answer = await verify('+15005550001');
    expect(answer.status).to.equal(400);
    expect(answer.body.errors[0].detail).to.contain('not enabled');
    expect(fake.messages).to.deep.equal([]);
  });

  const refusals: [string, Record<string, string>, string, RegExp][] = [
    [
      'a wrong token',
      { 'auth-token': 'wrong-token' },
      '+15005550001',
      /refused the account SID or the token/,
    ],
    ['an unknown account', { 'account-sid': `AC${'1'.repeat(32)}` }, '+15005550001', /refused the account/],
    ['an account id that is none', { 'account-sid': 'abc' }, '+15005550001', /must begin with AC/],
    ['a sender of somebody else', { 'from-number': '+15005550009' }, '+15005550001', /code 21660/],
    ['a number that is none', {}, 'nobody', /^test-number must be a phone number with its country code/],
    ['a number that is too short', {}, '12', /^test-number must be a phone number/],
  ];
  for (const [what, changed, number, reason] of refusals) {
    it(`a verification with ${what} is answered with 400 and the reason, without the token`, async () => {
      await sealift.change('sms', { enabled: true, ...account, ...changed });
      const answer = await verify(number);
      expect(answer.status).to.equal(400);
      expect(answer.body.errors[0].detail).to.match(reason);
      expect(answer.text).not.to.contain('wrong-token');
      expect(fake.messages).to.deep.equal([]);
    });
  }

  it('a provider that fails or hangs is answered with 400', async () => {
    await sealift.change('sms', { enabled: true, ...account });
    fake.fail(500);
    expect((await verify('+15005550001')).status).to.equal(400);
    fake.fail('hang');
    const started = Date.now();
    const { status, body } = await verify('+15005550001');
    expect(status).to.equal(400);
    expect(body.errors[0].detail).to.contain(`: ${fake.url} cannot be reached`);
    expect(Date.now() - started).to.be.lessThan(15_000);
  });
});
