import { expect } from 'chai';
import { createValidator } from '../../../libs/validation/validator.ts';
import { mostEntries } from '../../../libs/connector/most-entries.ts';
import { apiUrl } from '../../../services/connectors/github-secrets/api-url.ts';
import { destination } from '../../../services/connectors/github-secrets/destination.ts';
import type { RepoHostSettings } from '../../../services/connectors/github-secrets/settings.ts';
import { faultsOfSettings } from '../../support/faults-of-settings.ts';

const operator = { environment: () => undefined, egressAllow: ['10.0.0.0/8'] };
const given = { access_token: 'ghp_x', repository_owner: 'acme', repository_name: 'web' };

describe('repo-host: settings', () => {
  const check = createValidator(destination.settings, { weak: true });
  const accepts = (more: object) => 'value' in check({ ...given, ...more });
  const faultsOf = (more: Partial<RepoHostSettings>) =>
    faultsOfSettings(destination, { ...given, ...more }, operator);

  it('a token and a repository are enough', () => expect(accepts({})).to.equal(true));

  it('names that would lead to another path are refused', () => {
    for (const repository_name of ['', '.', '..', 'a/b', 'a b', 'a%2fb', '../x'])
      expect(accepts({ repository_name }), repository_name).to.equal(false);
    for (const repository_owner of ['', '..', 'a/b', 'a.b'])
      expect(accepts({ repository_owner }), repository_owner).to.equal(false);
    for (const environment_name of ['', '.', '..', 'a\nb'])
      expect(accepts({ environment_name }), environment_name).to.equal(false);
    expect(accepts({ repository_name: 'web.github.io', environment_name: 'review/π 1' })).to.equal(true);
  });

  it('a token that could not be a header is refused', () => {
    for (const access_token of ['', 'a b', 'a\nb', 'ä']) expect(accepts({ access_token })).to.equal(false);
  });

  it('each location asks for its own settings, and takes no others', () => {
    const { repository_owner: _owner, repository_name: _name, ...bare } = given;
    const faults = (more: Partial<RepoHostSettings>) =>
      faultsOfSettings(destination, { ...bare, ...more }, operator).join('; ');
    const ofOrganization = { secrets_location: 'organization', organization_name: 'acme' } as const;
    const repository = { repository_owner: 'acme', repository_name: 'web' };
    for (const [more, says] of [
      [{}, /repository_owner is required; repository_name is required/],
      [{ ...repository, secrets_location: 'environment' }, /environment_name is required/],
      [{ ...repository, organization_name: 'acme' }, /organization_name needs secrets_location/],
      [{ ...repository, organization_visibility: 'all' }, /organization_visibility needs secrets_location/],
      [{ secrets_location: 'organization' }, /organization_name is required/],
      [{ ...ofOrganization, ...repository }, /repository_owner cannot be used.*repository_name cannot/],
      [{ ...ofOrganization, environment_name: 'x' }, /environment_name cannot be used/],
      [{ ...ofOrganization, organization_visibility: 'selected' }, /selected_repository_names is required/],
      [{ ...ofOrganization, selected_repository_names: ['web'] }, /needs organization_visibility/],
      [{ ...repository, environment_name: 'x', secrets_service: 'dependabot' }, /only Actions/],
    ] as const)
      expect(faults(more as Partial<RepoHostSettings>), JSON.stringify(more)).to.match(says);
    for (const more of [
      { ...repository, secrets_location: 'repository' },
      { ...repository, environment_name: 'x' },
      { ...repository, secrets_location: 'environment', environment_name: 'x' },
      { ...repository, secrets_service: 'codespaces', selected_repository_names: [] },
      ofOrganization,
      { ...ofOrganization, organization_visibility: 'selected', selected_repository_names: ['web'] },
    ])
      expect(faults(more as Partial<RepoHostSettings>), JSON.stringify(more)).to.equal('');
  });

  it('each place and each service has names of its own, and its own number of them', () => {
    const container = (more: Partial<RepoHostSettings>): string =>
      destination.container({ ...given, ...more }, {});
    const ofOrganization = { secrets_location: 'organization', organization_name: 'Acme' } as const;
    const most = (more: Partial<RepoHostSettings>): number =>
      mostEntries(destination.limits, container(more));
    const places: [Partial<RepoHostSettings>, string, number][] = [
      [{}, 'acme/web', 100],
      [{ environment_name: 'dependabot' }, 'acme/web/dependabot', 100],
      [{ environment_name: 'a?b' }, 'acme/web/a%3fb', 100],
      [{ secrets_service: 'dependabot' }, 'acme/web?dependabot', Infinity],
      [{ secrets_service: 'codespaces' }, 'acme/web?codespaces', 100],
      [ofOrganization, 'acme', 1000],
      [{ ...ofOrganization, secrets_service: 'codespaces' }, 'acme?codespaces', 100],
    ];
    for (const [more, path, count] of places) {
      expect(container(more)).to.equal(`repo-host:api.github.com/${path}`);
      expect(most(more), path).to.equal(count);
    }
  });

  it('an enterprise_url passes the egress guard', () => {
    expect(faultsOf({ enterprise_url: 'https://github.example.com' })).to.deep.equal([]);
    expect(faultsOf({ enterprise_url: 'http://10.1.1.1' })).to.deep.equal([]);
    for (const enterprise_url of [
      'https://169.254.169.254',
      'http://github.example.com',
      'https://a:b@github.example.com',
      'nothing',
      'https://github.example.com/?x=1',
    ])
      expect(faultsOf({ enterprise_url })?.[0], enterprise_url).to.match(/^enterprise_url: /);
  });

  it('only the token is sensitive', () => {
    const marked = Object.entries(destination.settings.properties).filter(
      ([, field]) => 'sensitive' in field,
    );
    expect(marked.map(([name]) => name)).to.deep.equal(['access_token']);
  });

  it('names of secrets follow the rules of the store', () => {
    const { expression } = destination.names.pattern ?? { expression: /$^/ };
    for (const name of ['A', '_A', 'A1_B', 'MY_GITHUB_TOKEN'])
      expect(expression.test(name), name).to.equal(true);
    for (const name of ['', '1A', 'GITHUB_TOKEN', 'a', 'A-B'])
      expect(expression.test(name), name).to.equal(false);
  });
});

describe('repo-host: addresses', () => {
  it('each offer has its API in its own place', () => {
    const none = () => undefined;
    expect(apiUrl(undefined, none)).to.equal('https://api.github.com');
    expect(apiUrl(undefined, () => 'http://127.0.0.1:9/')).to.equal('http://127.0.0.1:9');
    expect(apiUrl('https://git.example.com', none)).to.equal('https://git.example.com/api/v3');
    expect(apiUrl('https://git.example.com/api/v3/', none)).to.equal('https://git.example.com/api/v3');
    expect(apiUrl('https://git.example.com:8443/sub/', none)).to.equal(
      'https://git.example.com:8443/sub/api/v3',
    );
    expect(apiUrl('https://github.com/', none)).to.equal('https://api.github.com');
    expect(apiUrl('https://octo.ghe.com', none)).to.equal('https://api.octo.ghe.com');
    expect(apiUrl('https://api.octo.ghe.com', none)).to.equal('https://api.octo.ghe.com');
  });
});
