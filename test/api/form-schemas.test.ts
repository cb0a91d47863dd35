import { expect } from 'chai';
import type {
  AuthKindAnswer,
  DestinationTypeAnswer,
  SettingsKindAnswer,
} from '../../services/api/contract/forms.ts';
import { cloud1Settings } from '../support/sandboxed.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

describe('the schemas that forms are drawn from', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  it('the schemas hold every type, and mark secrets', async () => {
    const { body } = await sealift.client.get('/v1/sys/schemas');
    const types = body.data.destinations as {
      type: string;
      settings: { name: string; sensitive?: boolean }[];
    }[];
    expect(types).to.have.length(5);
    const fields = types.find(({ type }) => type === 'cloud1-sm')?.settings ?? [];
    expect(fields.filter(({ sensitive }) => sensitive).map(({ name }) => name)).to.deep.equal([
      ...Object.keys(cloud1Settings()).filter((name) => name.includes('key')),
      'identity_token_audience',
      'identity_token_key',
    ]);
    const kinds = body.data.settings as SettingsKindAnswer[];
    expect(kinds).to.have.length(8);
    expect(kinds.flatMap(({ actions }) => actions.map(({ path }) => path))).to.deep.equal([
      '/api/v2/admin/saml-settings/actions/revoke-old-certificate',
      '/api/v2/admin/sms-settings/verify',
      '/api/v2/admin/oidc-settings/actions/rotate-key',
      '/api/v2/admin/oidc-settings/actions/trim-key',
    ]);
  });

  it('the schemas describe every field', async () => {
    const { body } = await sealift.client.get('/v1/sys/schemas');
    const types = body.data.destinations as DestinationTypeAnswer[];
    const kinds = body.data.settings as SettingsKindAnswer[];
    const forms = [
      ...types.flatMap(({ type, settings, options }) => [
        { of: type, fields: settings },
        { of: type, fields: options },
      ]),
      ...kinds.flatMap(({ kind, attributes, actions }) => [
        { of: kind, fields: attributes },
        ...actions.map((action) => ({ of: action.path, fields: action.attributes })),
      ]),
    ];
    const silent = forms.flatMap(({ of, fields }) =>
      fields.filter(({ description }) => !description?.endsWith('.')).map(({ name }) => `${of} ${name}`),
    );
    expect(silent).to.deep.equal([]);
  });

  it('a field whose label is a question has a noun for sentences', async () => {
    const { body } = await sealift.client.get('/v1/sys/schemas');
    const kinds = body.data.auth_methods as AuthKindAnswer[];
    const questions = kinds
      .flatMap(({ config, role, secret_id: secretId }) => [...config, ...role, ...secretId])
      .filter(({ title }) => title?.endsWith('?'));
    expect(questions.map(({ name, noun }) => [name, noun])).to.deep.equal([
      ['validation', 'Check of tokens'],
    ]);
  });
});
