import { expect } from 'chai';
import { guardedAgent } from '../../libs/egress/agent.ts';
import { checkUrl, isAllowed, EgressError } from '../../libs/egress/guard.ts';

const nobody = { egressAllow: [] };

describe('URLs at the egress guard', () => {
  const refused: [string, string][] = [
    ['a private address', 'https://10.1.2.3/'],
    ['another private address', 'https://192.168.0.1/'],
    ['loopback', 'https://127.0.0.1/'],
    ['localhost by name', 'https://localhost/'],
    ['a name below localhost', 'https://vault.localhost./'],
    ['a link-local address', 'https://169.254.1.1/'],
    ['the metadata address', 'https://169.254.169.254/latest/meta-data/'],
    ["Azure's platform address", 'https://168.63.129.16/'],
    ['carrier-grade NAT', 'https://100.100.100.200/'],
    ['a benchmark range', 'https://198.18.0.1/'],
    ['the unspecified address', 'https://0.0.0.0/'],
    ['multicast', 'https://224.0.0.1/'],
    ['broadcast', 'https://255.255.255.255/'],
    ['a decimal spelling', 'https://2130706433/'],
    ['an octal spelling', 'https://0177.0.0.01/'],
    ['a hexadecimal spelling', 'https://0x7f.1/'],
    ['full-width digits', 'https://１２７.0.0.1/'],
    ['a dot at the end', 'https://127.0.0.1./'],
    ['IPv6 loopback', 'https://[::1]/'],
    ['IPv6 unspecified', 'https://[::]/'],
    ['a v4-mapped address', 'https://[::ffff:10.0.0.1]/'],
    ['a v4-compatible address', 'https://[::127.0.0.1]/'],
    ['NAT64', 'https://[64:ff9b::7f00:1]/'],
    ['local NAT64', 'https://[64:ff9b:1::7f00:1]/'],
    ['6to4', 'https://[2002:7f00:1::]/'],
    ['Teredo', 'https://[2001::1]/'],
    ['IPv6 link-local', 'https://[fe80::1]/'],
    ['IPv6 unique local', 'https://[fd00:ec2::254]/'],
    ['IPv6 documentation', 'https://[2001:db8::1]/'],
    ['IPv6 outside what is handed out', 'https://[4000::1]/'],
    ['plain http', 'http://github.example.com/'],
    ['another scheme', 'file:///etc/passwd'],
    ['credentials', 'https://user:word@github.example.com/'],
    ['a user alone', 'https://user@github.example.com/'],
    ['no URL at all', 'github.example.com'],
  ];
  for (const [what, url] of refused) {
    it(`the guard refuses ${what}: ${url}`, () => {
      expect(checkUrl(url, nobody)).to.be.a('string').and.not.contain('word');
      expect(() => guardedAgent(url, nobody)).to.throw(EgressError);
    });
  }

  for (const url of [
    'https://github.example.com',
    'https://140.82.121.4/',
    'https://[2606:50c0:8000::153]/',
  ]) {
    it(`the guard accepts ${url}`, () => expect(checkUrl(url, nobody)).to.equal(null));
  }

  it('a URL without its scheme is told to begin with it', () => {
    for (const url of ['github.example.com', 'github.example.com:8443', ''])
      expect(checkUrl(url, nobody)).to.equal('the URL must begin with https://');
    expect(checkUrl('https://[', nobody)).to.equal('the URL cannot be read');
  });
});

describe('exceptions of the operator', () => {
  const rules = { egressAllow: ['10.0.0.0/8', '127.0.0.1', 'fd00::/8', 'corp.example', '*.lab.example'] };

  it('the exceptions are ranges, single addresses and domains', () => {
    expect(isAllowed('10.200.0.1', rules)).to.equal(true);
    expect(isAllowed('127.0.0.1', rules)).to.equal(true);
    expect(isAllowed('[fd12::1]', rules)).to.equal(true);
    expect(isAllowed('::ffff:10.0.0.1', rules)).to.equal(true);
    expect(isAllowed('corp.example', rules)).to.equal(true);
    expect(isAllowed('git.corp.example.', rules)).to.equal(true);
    expect(isAllowed('git.lab.example', rules)).to.equal(true);
  });

  it('the exceptions allow nothing that only looks alike', () => {
    expect(isAllowed('11.0.0.1', rules)).to.equal(false);
    expect(isAllowed('127.0.0.2', rules)).to.equal(false);
    expect(isAllowed('evilcorp.example', rules)).to.equal(false);
    expect(isAllowed('corp.example.evil.com', rules)).to.equal(false);
    expect(isAllowed('10.0.0.1.evil.com', rules)).to.equal(false);
    expect(isAllowed('anything', { egressAllow: ['', '.', '*.', '10.0.0.0/99', '/8'] })).to.equal(false);
  });

  it('the guard accepts http for an allowed host only', () => {
    expect(checkUrl('http://10.1.1.1:8080/', rules)).to.equal(null);
    expect(checkUrl('http://git.corp.example/', rules)).to.equal(null);
    expect(checkUrl('http://github.example.com/', rules)).to.be.a('string');
    expect(checkUrl('ftp://10.1.1.1/', rules)).to.be.a('string');
    expect(checkUrl('https://u:p@10.1.1.1/', rules)).to.be.a('string');
  });
});
