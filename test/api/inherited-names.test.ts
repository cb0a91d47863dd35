import { expect } from 'chai';
import { startSettingsWorker } from '../../services/settings/start.ts';
import type { Answer } from '../support/client.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

// Every object of JavaScript has these, so a look-up by the name that a caller sent finds something.
const NAMES = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'];
const KEYS = { access_key_id: 'AKIAINHERITED0000', secret_access_key: 'a-key', region: 'eu-west-1' };

describe('names that every object has', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
    await sealift.start('settings', startSettingsWorker);
    await sealift.client.post('/v1/sys/namespaces/team');
  });
  after(() => sealift.stop());

  const v1 = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const answer = await sealift.client.call(method, `/v1/${path}`, body);
    expect(answer.status, `${method} ${path}: ${answer.text}`).to.be.below(500);
    return answer;
  };
  const done = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const answer = await v1(method, path, body);
    expect(answer.status, `${method} ${path}: ${answer.text}`).to.be.below(300);
    return answer;
  };
  const objectWith = (name: string, value: unknown): object => Object.fromEntries([[name, value]]);

  for (const name of NAMES) {
    it(`a secret may have the name, the key and the metadata ${name}`, async () => {
      const path = `secret/data/${name}`;
      await done('POST', path, { data: objectWith('other', 1) });
      await done('PATCH', path, { data: objectWith(name, 'value') });
      const data = { ...objectWith('other', 1), ...objectWith(name, 'value') };
      expect(JSON.parse((await done('GET', path)).text).data.data).to.deep.equal(data);
      const difference = (await done('GET', `secret/diff/${name}?from=1&to=2`)).body.data.keys;
      expect(Object.entries(difference)).to.deep.include([name, 'added']);
      const shown = await done('POST', `sys/reveal/secret/${name}`, { keys: [name, 'missing'] });
      expect(Object.keys(shown.body.data.values)).to.deep.equal([name]);
      const none = await done('POST', `sys/reveal/secret/${name}`, { keys: ['isPrototypeOf'] });
      expect(Object.keys(none.body.data.values)).to.deep.equal([]);
      await done('POST', `secret/metadata/${name}`, { custom_metadata: objectWith(name, 'm') });
      await done('PATCH', `secret/metadata/${name}`, { custom_metadata: objectWith('more', 'n') });
      const { custom_metadata: metadata } = (await done('GET', `secret/metadata/${name}`)).body.data;
      expect(Object.entries(metadata)).to.have.deep.members([
        [name, 'm'],
        ['more', 'n'],
      ]);
      expect((await done('LIST', 'secret/metadata')).body.data.keys).to.include(name);
    });

    it(`a mount, a policy, a role, a namespace and a destination may be called ${name}`, async () => {
      const own = name.toLowerCase();
      await done('POST', `sys/mounts/${name}`, { type: 'kv-v2' });
      await done('POST', `sys/mounts/${name}/tune`, objectWith(name, 'x'));
      await done('POST', `${name}/data/x`, { data: { a: 1 } });
      expect(Object.keys((await done('GET', 'sys/mounts')).body.data)).to.include(`${name}/`);
      const rule = { policy: `path "${name}/*" { capabilities = ["read"] }` };
      await v1('GET', `sys/policies/acl/${name}`).then(({ status }) => expect(status).to.equal(404));
      await done('POST', `sys/policies/acl/${name}`, rule);
      expect((await done('GET', `sys/policies/acl/${name}`)).body.data.name).to.equal(own);
      await done('POST', `auth/token/roles/${name}`, { allowed_policies: [name] });
      const made = await done('POST', `auth/token/create/${name}`, {
        policies: [name],
        meta: objectWith(name, 'm'),
      });
      expect(made.body.auth.policies).to.include(own);
      await done('POST', `sys/namespaces/team/${name}`, { custom_metadata: objectWith(name, 'm') });
      await done('PATCH', `sys/namespaces/team/${name}`, { custom_metadata: objectWith('more', 'n') });
      const capabilities = await done('POST', 'sys/capabilities-self', { paths: [name, `${name}/data/x`] });
      expect(Object.keys(capabilities.body.data)).to.include(name);
      await v1('POST', `sys/sync/destinations/cloud1-sm/${own}`, {
        ...KEYS,
        custom_tags: objectWith(name, 't'),
      });
      await v1('GET', `sys/sync/destinations/cloud1-sm/${own}`);
      await done('POST', `cubbyhole/${name}`, objectWith(name, 'c'));
      expect(Object.entries((await done('GET', `cubbyhole/${name}`)).body.data)).to.deep.equal([[name, 'c']]);
    });

    it(`the name ${name} is unknown wherever names are fixed`, async () => {
      for (const [method, path, body] of [
        ['GET', `sys/sync/destinations/${name}/x`],
        ['POST', `sys/sync/destinations/${name}/x`, KEYS],
        ['LIST', `sys/sync/destinations/${name}`],
        ['POST', 'sys/sync/destinations/cloud1-sm/fixed', { ...KEYS, ...objectWith(name, 'x') }],
        ['POST', 'sys/sync/destinations/repo-host/fixed', objectWith(name, 'x')],
        ['POST', 'sys/sync/destinations/cloud3-sm/fixed', { replication_locations: [name], project_id: 'p' }],
        ['PATCH', 'sys/sync/config', objectWith(name, 'x')],
        ['POST', 'sys/mounts/fixed', { type: name }],
        [
          'POST',
          'sys/mounts/fixed',
          { type: 'kv', options: objectWith(name, 'x'), config: objectWith(name, 'x') },
        ],
        ['GET', `sys/policies/acl/isPrototypeOf`],
        ['GET', `sys/mounts?${name}=x`],
        ['GET', `sys/revisions/sys/policies/acl/${name}`],
        ['GET', `sys/story/secret/${name}`],
        ['GET', `sys/${name}`],
        ['GET', name],
        ['POST', 'auth/token/create', objectWith(name, 'x')],
        ['POST', 'sys/policies/preview', { policy: `path "x" { ${name} = ["read"] }`, paths: ['x'] }],
        ['POST', 'sys/policies/acl/fixed', { policy: `path "x" { capabilities = ["${name}"] }` }],
        [
          'POST',
          'sys/policies/acl/parameters',
          { policy: `path "x" { capabilities = ["update"]\n denied_parameters = { "${name}" = [] } }` },
        ],
        ['POST', 'identity/oidc/token', objectWith(name, 'x')],
      ] as [string, string, unknown?][])
        await v1(method, path, body);
      for (const [method, path, body] of [
        ['GET', name],
        ['GET', `audit-events?filter[${name}]=x`],
        [
          'PATCH',
          'general-settings',
          { data: { type: 'general-settings', attributes: objectWith(name, 'x') } },
        ],
        ['PATCH', 'smtp-settings', { data: { type: 'smtp-settings', attributes: objectWith(name, 'x') } }],
        ['POST', 'policy-engine-versions', { data: { type: name, attributes: objectWith(name, 'x') } }],
      ] as [string, string, unknown?][]) {
        const answer = await sealift.client.call(method, `/api/v2/admin/${path}`, body);
        expect(answer.status, `${method} ${path}: ${answer.text}`).to.be.below(500);
      }
      const docs = await fetch(`${sealift.url}/docs/${name}`);
      expect(docs.status).to.equal(404);
    });
  }
});
