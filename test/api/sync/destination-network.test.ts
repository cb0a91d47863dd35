import { expect } from 'chai';
import { kinds } from '../../faults/kinds.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { destinationPath, create, expectOk, expectRefused, repository } from './support.ts';

const LIMITS = {
  allowed_ipv4_addresses: ['192.0.2.0/24', '198.51.100.7/32'],
  allowed_ipv6_addresses: ['2001:db8::/32'],
  allowed_ports: [443, 8443],
  disable_strict_networking: true,
};
const PATH = destinationPath('web', 'repo-host');

const UNLIMITED = { ...repository, access_token: '*****', secrets_service: 'actions' };

describe('networking limits of a destination', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift({ environment: { EGRESS_ALLOW: '127.0.0.0/8' } });
  });
  after(() => sealift.stop());
  const patch = (body: object) => sealift.client.patch(PATH, body);

  for (const kind of kinds) {
    it(`limits are kept and read back by ${kind.type}`, async () => {
      const fake = await kind.start({});
      const settings = kind.settings(fake, fake.url, 'limited');
      await fake.close();
      const path = destinationPath('limited', kind.type);
      const made = await create(sealift.client, path, { ...settings, ...LIMITS });
      expect(made.connection_details).to.deep.include(LIMITS);
      const answer = await sealift.client.get(path);
      expect(answer.body.data.connection_details).to.deep.include(LIMITS);
      expect(answer.body.warnings).to.equal(null);
    });
  }

  it('limits are merged by a PATCH, taken away by null, and cleared by a POST without them', async () => {
    await create(sealift.client, PATH, { ...repository, ...LIMITS });
    const merged = expectOk(
      await patch({ allowed_ports: [80], allowed_ipv6_addresses: null, disable_strict_networking: false }),
    );
    expect(merged.connection_details).to.deep.equal({
      ...UNLIMITED,
      allowed_ipv4_addresses: LIMITS.allowed_ipv4_addresses,
      allowed_ports: [80],
    });
    const replaced = await create(sealift.client, PATH, repository);
    expect(replaced.connection_details).to.deep.equal(UNLIMITED);
  });

  it('limits are taken as command lines write them, and left out where they limit nothing', async () => {
    const written = await create(sealift.client, PATH, {
      ...repository,
      allowed_ipv4_addresses: '10.0.0.0/8, 192.0.2.1/32',
      allowed_ports: '443,8443',
      disable_strict_networking: 'true',
    });
    expect(written.connection_details).to.deep.include({
      allowed_ipv4_addresses: ['10.0.0.0/8', '192.0.2.1/32'],
      allowed_ports: [443, 8443],
      disable_strict_networking: true,
    });
    const empty = await create(sealift.client, PATH, {
      ...repository,
      allowed_ipv4_addresses: [],
      allowed_ports: '',
      disable_strict_networking: 'false',
    });
    expect(empty.connection_details).to.deep.equal(UNLIMITED);
  });

  const refused: [field: string, values: unknown[], text: string][] = [
    [
      'allowed_ipv4_addresses',
      [
        '10.0.0.0',
        '10.0.0.0/33',
        '10.0.0/8',
        '010.0.0.1/8',
        '10.0.0.0/08',
        'example.com/8',
        '2001:db8::/32',
        '',
      ],
      'invalid CIDR address',
    ],
    [
      'allowed_ipv6_addresses',
      [
        '2001:db8::',
        '2001:db8::/129',
        '10.0.0.0/8',
        'fe80::1%eth0/64',
        '::ffff:10.0.0.0/104',
        '2001:db8::/-1',
      ],
      'invalid CIDR address',
    ],
    ['allowed_ports', [0, -1, 65_536, 80.5, 'https', '1e400', null], 'invalid port'],
  ];
  for (const [field, values, text] of refused) {
    it(`limits are refused as a whole where ${field} holds what cannot be one`, async () => {
      await create(sealift.client, PATH, { ...repository, ...LIMITS });
      for (const value of values) {
        for (const answer of [
          await sealift.client.post(PATH, { ...repository, [field]: [value] }),
          await patch({ [field]: [value], custom_tags: {} }),
        ]) {
          expect(expectRefused(answer, 400), String(value)).to.contain(`${field}: item 1`).and.contain(text);
        }
      }
      expect(expectOk(await sealift.client.get(PATH)).connection_details).to.deep.include(LIMITS);
    });
  }

  it('limits do not widen what the operator allows', async () => {
    const body = { ...repository, enterprise_url: 'https://10.0.0.1', disable_strict_networking: true };
    const answer = await sealift.client.post(PATH, { ...body, allowed_ipv4_addresses: ['10.0.0.0/8'] });
    expect(expectRefused(answer, 400)).to.contain('EGRESS_ALLOW');
  });
});
