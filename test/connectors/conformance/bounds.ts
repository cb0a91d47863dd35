import { expect } from 'chai';
import type { TSchema } from 'typebox';
import type { TagRules } from '../../../libs/connector/rules.ts';
import { settingsOf } from '../../../libs/connector/settings.ts';
import { eventually } from '../../support/eventually.ts';
import type { Stage } from './stage.ts';

// Each would end or change a header, a URL or a line, or be changed on the way.
const SPOILT: [what: string, spoil: (text: string) => string][] = [
  ['a line break and a header', (text) => `${text}\r\nX-Injected: 1`],
  ['a line feed at the end', (text) => `${text}\n`],
  ['a null character', (text) => `${text}\0`],
  ['half of a character', (text) => `${text}\ud800`],
  ['a space before it', (text) => ` ${text}`],
  ['a space after it', (text) => `${text} `],
];

// What a setting may hold that the subject itself does not set.
const SAMPLES: Record<string, unknown> = {
  kms_key_id: 'projects/p/locations/global/keyRings/r/cryptoKeys/k',
  global_kms_key: 'projects/p/locations/global/keyRings/r/cryptoKeys/k',
  replica_regions: { 'us-east-2': '' },
  project_id: 'project-123',
  environment_name: 'production',
  enterprise_url: 'https://github.example.com',
  app_name: 'deployer',
  organization_name: 'acme',
  team_id: 'team_123',
  cloud: 'AzurePublicCloud',
  replication_locations: ['europe-west1'],
  allowed_ipv4_addresses: ['192.0.2.0/24'],
  allowed_ipv6_addresses: ['2001:db8::/32'],
  role_arn: 'arn:aws:iam::123456789012:role/sealift',
  external_id: 'sealift-1',
  identity_token_audience: 'sts.amazonaws.com',
  identity_token_key: 'default',
  service_account_email: 'sealift@my-project.iam.gserviceaccount.com',
  workload_identity_provider:
    '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/sealift/providers/sealift',
};

/** What the store's protocol and documented limits can carry, tried at the exact bound and one beyond it. */
export function describeBounds(stage: Stage): void {
  const { destination } = stage.subject;
  const byKey = { granularity: 'secret-key', secret_name_template: 'key-{{ .SecretPath }}-{{ .SecretKey }}' };

  it('a text setting that its protocol cannot carry as written is refused where it enters', async () => {
    for (const [name, schema] of Object.entries(settingsOf(destination))) {
      const settings = stage.subject.settings(stage.fake);
      const given = settings[name] ?? SAMPLES[name];
      const shape = shapeOf(schema, given);
      // The settings of a key's JSON are checked one by one, after it was parsed.
      if (shape === undefined || shape.text.startsWith('{')) continue;
      const configure = (value: unknown) => stage.driver.configure({ ...settings, [name]: value });
      const good = await configure(shape.wrap(shape.text));
      if (good.status !== 200) continue;
      for (const [what, spoil] of SPOILT) {
        const answer = await configure(shape.wrap(spoil(shape.text)));
        expect(answer.status, `${name} with ${what}: ${answer.text}`).to.equal(400);
      }
    }
  });

  it('a value of the most bytes arrives whole, and one byte more is refused before any call', async () => {
    await stage.configure(byKey);
    const { totalBytes, valueBytes } = destination.limits;
    // Where all share one limit, the name is a part of it.
    const most = totalBytes === undefined ? valueBytes : totalBytes - Buffer.byteLength(await nameOf(stage));
    // Three bytes each, so that characters, UTF-16 units and bytes are three different numbers.
    const wide = '€'.repeat(Math.floor(most / 3));
    const exact = wide + 'x'.repeat(most - Buffer.byteLength(wide));
    await stage.driver.write(stage.secretName(), { v: exact });
    await stage.driver.associate(stage.secretName());
    const [record] = await stage.driver.settles(stage.secretName(), 'SYNCED');
    const name = record?.external_name ?? '';
    expect(stage.value(name) === exact, 'the value arrived whole').to.equal(true);

    stage.fake.clearCalls();
    await stage.driver.write(stage.secretName(), { v: `${exact}x` });
    const refused = await stage.driver.settles(stage.secretName(), 'CLIENT_SIDE_ERROR');
    const plan = await stage.sealift.client.post(`${stage.driver.path}/plan`, {
      secrets: [{ mount: 'secret', secret_name: stage.secretName() }],
    });
    expect(plan.body.data.totals, plan.text).to.deep.equal({ refused: 1 });
    expect(plan.body.data.secrets[0].planned[0].reason).to.equal(refused[0]?.cause?.message);
    expect(refused.map(({ cause }) => cause?.code)).to.deep.equal([
      totalBytes === undefined ? 'value_too_large' : 'too_many_bytes',
    ]);
    expect(stage.fake.calls()).to.deep.equal([]);
    expect(stage.value(name) === exact, 'the entry kept its value').to.equal(true);
  });

  it('a name of the most characters is written, and one more is refused where it is linked', async () => {
    const { maxLength } = destination.names;
    await stage.configure({ ...byKey, secret_name_template: '{{ .SecretPath }}-{{ .SecretKey }}' });
    const link = async (length: number) => {
      const path = `${stage.secretName()}n${length}`;
      await stage.driver.write(path, { ['k'.repeat(length - path.length - 1)]: 'v' });
      return { path, answer: await stage.driver.associate(path) };
    };
    const fullest = await link(maxLength);
    expect(fullest.answer.status, fullest.answer.text).to.equal(200);
    const [record] = await stage.driver.settles(fullest.path, 'SYNCED');
    expect(record?.external_name).to.have.length(maxLength);
    expect(stage.value(record?.external_name ?? '')).to.equal('v');
    const longer = await link(maxLength + 1);
    expect(longer.answer.status).to.equal(400);
    expect(longer.answer.text)
      .to.contain(`has ${maxLength + 1} characters`)
      .and.contain(`at most ${maxLength}`);
  });

  const { tags } = destination;
  if (!tags) return;

  it('the longest tags reach the store as written, and longer ones are refused', async () => {
    for (const character of ['k', 'é', '𝒳', '😀'].filter((one) => fits(tags.key, one))) {
      const [key, value] = [longest(tags.key, character), longest(tags.value, character)];
      await stage.configure({ custom_tags: { [key]: value } });
      const name = await stage.synced('tagged');
      const shown = (): Record<string, string> =>
        stage.fake.entries().find((entry) => entry.name === name)?.tags ?? {};
      await eventually(() => shown()[key] === value);
      for (const custom_tags of [{ [key + character]: value }, { [key]: value + character }]) {
        const answer = await stage.driver.patch({ custom_tags: { [key]: null, ...custom_tags } });
        expect(answer.status, answer.text).to.equal(400);
      }
    }
  });
}

type Shape = { text: string; wrap: (text: string) => unknown };

// One text of the setting, and how the setting holds it. Undefined for a setting without texts.
function shapeOf(schema: TSchema, given: unknown): Shape | undefined {
  if (Array.isArray(given)) {
    const [text] = given as unknown[];
    return typeof text === 'string' ? { text, wrap: (spoilt) => [spoilt] } : undefined;
  }
  if (typeof given === 'object' && given !== null)
    return { text: Object.keys(given)[0] ?? '', wrap: (spoilt) => ({ [spoilt]: '' }) };
  if (typeof given === 'string') return { text: given, wrap: (spoilt) => spoilt };
  const isText = 'type' in schema && schema.type === 'string';
  expect(isText, `a sample of ${JSON.stringify(schema)} is needed`).to.equal(false);
  return undefined;
}

function fits({ expression, mostUnits = Infinity }: TagRules['key'], text: string): boolean {
  return expression.test(text) && text.length <= mostUnits;
}

function longest(rule: TagRules['key'], character: string): string {
  let text = character;
  while (fits(rule, text + character)) text += character;
  return text;
}

// The name of the secret's only entry, which is synced with a small value.
async function nameOf(stage: Stage): Promise<string> {
  await stage.driver.write(stage.secretName(), { v: 'small' });
  await stage.driver.associate(stage.secretName());
  const [record] = await stage.driver.settles(stage.secretName(), 'SYNCED');
  return record?.external_name ?? '';
}
