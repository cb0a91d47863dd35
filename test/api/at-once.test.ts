import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { LIMITS } from '../../services/api/limits.ts';
import { eventually } from '../support/eventually.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

const rule = (index: number): string => `path "a${index}/+/*" { capabilities = ["read"] }\n`;
const COSTLY = { paths: ['a'], policy: Array.from({ length: 4900 }, (_, index) => rule(index)).join('') };

const FORM = 'application/x-www-form-urlencoded';

describe('calls under way', () => {
  let sealift: Sealift;
  before(async () => {
    // Calls are limited here by how many are under way, and not by how many there are in a second.
    const environment = { TRUST_PROXY: '1', SAML_RATE_LIMIT_PER_ADDRESS: '0' };
    sealift = await startSealift({ environment });
  });
  after(() => sealift.stop());

  const tokenOf = async (): Promise<string> => {
    const made = await sealift.client.post('/v1/auth/token/create', { policies: ['default'] });
    return made.body.auth.client_token;
  };

  // Sends a request without the last byte of its body. `finish` sends that; `answer` is the first line that comes.
  async function begin(path: string, bytes: number, type = 'application/json', more: string[] = []) {
    const { hostname, port } = new URL(sealift.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('error', () => undefined);
    const head = ['Host: here', `Content-Type: ${type}`, `Content-Length: ${bytes}`, ...more].join('\r\n');
    socket.write(`POST ${path} HTTP/1.1\r\n${head}\r\n\r\n${' '.repeat(bytes - 1)}`);
    return { answer: () => text.split('\r\n')[0], finish: () => socket.write(' '), socket };
  }

  it('a token has two previews of policies under way, and the others are told to try again', async () => {
    const token = await tokenOf();
    const preview = (policy: object, own = token) =>
      sealift.client.post('/v1/sys/policies/preview', policy, { token: own });
    const answers = await Promise.all(Array.from({ length: 10 }, () => preview(COSTLY)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200)).to.have.length.within(2, 9);
    expect(refused).to.have.length.above(0);
    for (const { headers, body } of refused) {
      expect(headers['retry-after']).to.equal('1');
      expect(body.errors).to.deep.equal([
        'previews of policies of a token under way: at most 2 are allowed; nothing was done, try again',
      ]);
    }
    expect((await preview(COSTLY)).status).to.equal(200);
    expect((await preview({ paths: ['a'], policy: rule(1) }, await tokenOf())).status).to.equal(200);
  });

  it('all tokens together have eight previews under way', async () => {
    const tokens = await Promise.all(Array.from({ length: 6 }, tokenOf));
    const answers = await Promise.all(
      [...tokens, ...tokens].map((token) =>
        sealift.client.post('/v1/sys/policies/preview', COSTLY, { token }),
      ),
    );
    const given = answers.map(({ status }) => status);
    expect(given.filter((status) => status === 200)).to.have.length.within(8, 11);
    expect(given).to.include(503);
  });

  it('a log-in with a large body is refused before the body is there', async () => {
    await sealift.client.post('/v1/sys/auth/approle', { type: 'approle' });
    const large = await begin('/v1/auth/approle/login', LIMITS.openBodyBytes.value + 1);
    await eventually(() => expect(large.answer()).to.equal('HTTP/1.1 413 Payload Too Large'));
    const allowed = await begin('/v1/auth/approle/login', LIMITS.openBodyBytes.value);
    allowed.finish();
    await eventually(() => expect(allowed.answer()).to.equal('HTTP/1.1 400 Bad Request'));
    for (const { socket } of [large, allowed]) socket.destroy();
  });

  it('a log-in whose body does not arrive in time is ended', async () => {
    const slow = await begin('/v1/auth/approle/login', 1000);
    const ended = once(slow.socket, 'close');
    await eventually(() => expect(slow.answer()).to.equal('HTTP/1.1 400 Bad Request'));
    await ended;
  });

  it('an address has few SAML answers under way, and may send more once they have ended', async () => {
    const path = '/v1/users/saml/auth';
    const waiting = await Promise.all(
      Array.from({ length: LIMITS.samlAnswers.value }, () => begin(path, 1000, FORM)),
    );
    await eventually(async () => {
      const more = await begin(path, 1000, FORM);
      await eventually(() => expect(more.answer()).to.equal('HTTP/1.1 429 Too Many Requests'));
      more.socket.destroy();
      return true;
    });
    for (const { socket } of waiting) socket.destroy();
    await eventually(async () => {
      const more = await begin(path, 1000, FORM);
      more.finish();
      await eventually(() => expect(more.answer()).to.match(/^HTTP\/1.1 (?!429)\d/));
      more.socket.destroy();
      return true;
    });
  });

  it('a browser reads that its answer was refused for load, unread, and to try again', async () => {
    const path = '/v1/users/saml/auth';
    const large = LIMITS.openBodyBytes.value + 1;
    const from = (address: number): string => `203.0.113.${address}`;
    const pageOf = (address: number, bytes: number) =>
      sealift.client.post(path, undefined, {
        token: null,
        raw: ' '.repeat(bytes),
        headers: { 'content-type': FORM, accept: 'text/html', 'x-forwarded-for': from(address) },
      });
    const { value: ofAddress } = LIMITS.samlAnswers;
    const waiting = await Promise.all(
      Array.from({ length: LIMITS.largeSamlAnswers.value }, (_, index) =>
        begin(path, large, FORM, [`X-Forwarded-For: ${from(Math.floor(index / ofAddress))}`]),
      ),
    );
    for (const [status, address, bytes, why] of [
      [429, 0, 1000, 'This sign-in was refused because there are too many at once'],
      [503, 50, large, 'Sealift cannot deal with this sign-in now'],
    ] as const)
      await eventually(async () => {
        const page = await pageOf(address, bytes);
        expect(page.status).to.equal(status);
        expect(page.text).to.include('<h1>Try again in a moment</h1>').and.to.include(why);
        expect(page.text).to.not.include('Not logged in');
        return true;
      });
    for (const { socket } of waiting) socket.destroy();
  });

  it('whoever sends bodies slowly keeps nobody out, from however many addresses', async () => {
    const path = '/v1/users/saml/auth';
    const from = (address: number): string[] => [`X-Forwarded-For: 198.51.100.${address}`];
    const waiting = await Promise.all(
      Array.from({ length: 80 }, (_, index) => begin(path, 1000, FORM, from(index % 5))),
    );
    const good = await begin(path, 1000, FORM, from(50));
    good.finish();
    await eventually(() => expect(good.answer()).to.match(/^HTTP\/1.1 \d/));
    // Without single sign-on, an answer is refused for what it is.
    expect(good.answer()).to.not.match(/429|503/);
    for (const { socket } of [...waiting, good]) socket.destroy();
  });

  it('whoever sends policies slowly keeps nobody from a preview', async () => {
    const tokens = await Promise.all(Array.from({ length: 5 }, tokenOf));
    const waiting = await Promise.all(
      [...tokens, ...tokens].map((token) =>
        begin('/v1/sys/policies/preview', 1000, 'application/json', [`X-Vault-Token: ${token}`]),
      ),
    );
    await eventually(async () => {
      const own = await sealift.client.post('/v1/sys/policies/preview', COSTLY, { token: tokens[0] ?? '' });
      return own.status === 429;
    });
    const other = { token: await tokenOf() };
    expect((await sealift.client.post('/v1/sys/policies/preview', COSTLY, other)).status).to.equal(200);
    for (const { socket } of waiting) socket.destroy();
  });
});
