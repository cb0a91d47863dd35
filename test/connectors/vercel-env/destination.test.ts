import { expect } from 'chai';
import { checkName } from '../../../libs/connector/names.ts';
import { createValidator } from '../../../libs/validation/validator.ts';
import {
  destination,
  type HostingProjectSettings,
} from '../../../services/connectors/vercel-env/destination.ts';
import { readMark, writeMark } from '../../../services/connectors/vercel-env/marks.ts';
import { INSTALLATION } from './support.ts';
import { faultsOfSettings } from '../../support/faults-of-settings.ts';

const operator = { environment: () => undefined, egressAllow: [] };
const given: HostingProjectSettings = {
  access_token: 'vcp_x',
  project_id: 'prj_web',
  deployment_environments: ['production'],
};

describe('hosting-project: settings', () => {
  const check = createValidator(destination.settings, { weak: true });
  const accepts = (more: object) => 'value' in check({ ...given, ...more });

  it('the three required fields are enough, and each is required', () => {
    expect(accepts({})).to.equal(true);
    for (const field of Object.keys(given)) expect(accepts({ [field]: undefined }), field).to.equal(false);
  });

  it('deployment_environments is a set of the three, not empty, and keeps its order', () => {
    for (const deployment_environments of [[], ['staging'], ['production', 'production'], [1], ''])
      expect(accepts({ deployment_environments }), String(deployment_environments)).to.equal(false);
    const deployment_environments = ['production', 'development', 'preview'];
    const checked = check({ ...given, deployment_environments });
    expect('value' in checked && checked.value.deployment_environments).to.deep.equal(
      deployment_environments,
    );
    const text = check({ ...given, deployment_environments: 'preview, production' });
    expect('value' in text && text.value.deployment_environments).to.deep.equal(['preview', 'production']);
  });

  it('names that would lead to another path are refused', () => {
    for (const project_id of ['', '.', '..', 'a/b', 'a b', 'a%2fb', 'a?b'])
      expect(accepts({ project_id }), project_id).to.equal(false);
    for (const team_id of ['..', 'a/b', 'a&b']) expect(accepts({ team_id }), team_id).to.equal(false);
    expect(accepts({ project_id: 'web.shop-1', team_id: '' })).to.equal(true);
  });

  it('a token that could not be a header is refused', () => {
    for (const access_token of ['', 'a b', 'a\nb', 'ä']) expect(accepts({ access_token })).to.equal(false);
  });

  it('sensitive is refused for development, with the reason', () => {
    const faultsOf = (more: Partial<HostingProjectSettings>) =>
      faultsOfSettings(destination, { ...given, ...more }, operator);
    const [fault] = faultsOf({ sensitive: true, deployment_environments: ['production', 'development'] });
    expect(fault).to.match(/development.*preview and production only/);
    expect(faultsOf({ sensitive: true })).to.deep.equal([]);
    expect(faultsOf({ sensitive: false, deployment_environments: ['development'] })).to.deep.equal([]);
  });

  it('only the token is sensitive', () => {
    const marked = Object.entries(destination.settings.properties).filter(
      ([, field]) => 'sensitive' in field,
    );
    expect(marked.map(([name]) => name)).to.deep.equal(['access_token']);
  });

  it('a container is a project and a set of environments, without the token', () => {
    const container = (more: Partial<HostingProjectSettings>) =>
      destination.container({ ...given, ...more }, {});
    expect(container({})).to.equal('hosting-project:-/prj_web/production');
    expect(container({ team_id: 'team_a', deployment_environments: ['production', 'preview'] })).to.equal(
      container({
        team_id: 'team_a',
        deployment_environments: ['preview', 'production'],
        access_token: 'other',
      }),
    );
    expect(container({})).to.not.equal(container({ deployment_environments: ['preview'] }));
    expect(container({ team_id: '' })).to.equal(container({}));
  });

  it('names of variables follow the rules of the store', () => {
    const fits = (name: string) => checkName(destination.names, name) === null;
    for (const name of ['A', '_a', 'a1_B', 'VERCEL_TOKEN', 'TZ_NAME', 'AWS_ACCESS_KEY_ID'])
      expect(fits(name), name).to.equal(true);
    for (const name of [
      '',
      '1A',
      'A-B',
      'TZ',
      'AWS_SECRET_KEY',
      'VERCEL',
      'VERCEL_ENV',
      'VERCEL_GIT_PROVIDER',
    ])
      expect(fits(name), name).to.equal(false);
    expect(fits('A'.repeat(256))).to.equal(true);
    expect(fits('A'.repeat(257))).to.equal(false);
  });
});

describe('hosting-project: marks', () => {
  it('a mark survives being written and fits into a comment', () => {
    const mark = { installation: INSTALLATION, environments: ['development', 'preview', 'production'] };
    expect(readMark(writeMark(mark))).to.deep.equal(mark);
    expect(writeMark(mark).length).to.be.below(500);
    for (const comment of ['', 'sealift', 'sealift a', 'my sealift a production'])
      expect(readMark(comment), comment).to.equal(null);
  });
});
