import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../../deploy/local/root.ts';
import { createValidator } from '../../../libs/validation/validator.ts';
import { destination } from '../../../services/connectors/aws-secrets-manager/destination.ts';
import { faultsOfSettings } from '../../support/faults-of-settings.ts';

const operator = { environment: () => undefined, egressAllow: [] };

describe('cloud1-sm: the destination as data', () => {
  const check = createValidator(destination.settings, { weak: true });

  it('a destination takes no settings at all, and all of them as a command line sends them', () => {
    expect(check({})).to.not.have.property('faults');
    const all = {
      access_key_id: 'a',
      secret_access_key: 'b',
      region: 'us-gov-west-1',
      kms_key_id: 'alias/x',
    };
    expect(check({ ...all, recovery_window_in_days: '7' })).to.deep.include({
      value: { ...all, recovery_window_in_days: 7 },
    });
  });

  it('the rights that forms show are those of the documentation', async () => {
    const manual = await readFile(join(projectRoot, 'docs/identity.md'), 'utf8');
    const actionsIn = (text: string): string[] =>
      (JSON.parse(text) as { Statement: { Action: string[] }[] }).Statement[0]?.Action ?? [];
    const [, written = ''] = /```json\n(.+?)```/s.exec(manual) ?? [];
    const shown = (destination.modes ?? []).flatMap(({ steps }) =>
      steps.flatMap(({ code = '' }) => (code.includes('secretsmanager:') ? [actionsIn(code)] : [])),
    );
    expect(shown).to.deep.equal([actionsIn(written), actionsIn(written)]);
    expect(shown[0]).to.include('secretsmanager:CreateSecret');
  });

  it('a region that could change the host is refused, and so is a bad recovery window', () => {
    for (const region of ['', 'evil.example/', 'eu-west-1.evil.example', 'EU-WEST-1', '-eu', 'a@b'])
      expect(check({ region }), region).to.have.property('faults');
    for (const days of [0, 6, 31])
      expect(check({ recovery_window_in_days: days })).to.have.property('faults');
  });

  it('a half of a key pair that no header can carry is refused where it enters', () => {
    for (const text of ['AKIA…', 'key\n', ' key', 'a b', ''])
      for (const field of ['access_key_id', 'secret_access_key'])
        expect(check({ [field]: text }), `${field}: ${text}`).to.have.property('faults');
  });

  it('a key pair needs both halves, or neither', () => {
    expect(faultsOfSettings(destination, { access_key_id: 'a' }, operator)).to.have.length(1);
    expect(faultsOfSettings(destination, { secret_access_key: 'b' }, operator)).to.have.length(1);
    expect(faultsOfSettings(destination, {}, operator)).to.have.length(0);
  });

  it('the access key is sensitive, as are the audience and the key of identity tokens', () => {
    const sensitive = Object.entries(destination.settings.properties)
      .filter(([, schema]) => 'sensitive' in schema && schema.sensitive === true)
      .map(([name]) => name);
    expect(sensitive).to.deep.equal([
      'access_key_id',
      'secret_access_key',
      'identity_token_audience',
      'identity_token_key',
    ]);
  });

  it('tags that the store would not hold as written, and our own mark, are refused', () => {
    const { key, value } = destination.tags ?? expect.fail('has tags');
    for (const good of [
      'team',
      'cost center',
      'a:b/c=d+e-f@g',
      'größe',
      'sealift-installation-2',
      'x'.repeat(128),
    ])
      expect(key.expression.test(good), good).to.equal(true);
    for (const bad of ['', 'aws:x', 'AWS:x', 'sealift-installation', 'a#b', 'a\tb', 'x'.repeat(129)])
      expect(key.expression.test(bad), bad).to.equal(false);
    expect(['', 'a b', 'x'.repeat(256)].every((text) => value.expression.test(text))).to.equal(true);
    expect(['a*', 'x'.repeat(257)].some((text) => value.expression.test(text))).to.equal(false);
  });
});
