import { expect } from 'chai';
import type { NameRules } from '../../libs/connector/rules.ts';
import {
  checkName,
  defaultTemplate,
  externalName,
  nameKey,
  normaliseName,
  type NameSource,
} from '../../libs/connector/names.ts';
import { findDestinationType } from '../../services/connectors/catalog.ts';

const cloud = findDestinationType('cloud1-sm') ?? expect.fail('no such type');
const repository = findDestinationType('repo-host') ?? expect.fail('no such type');
const vault: NameRules = { allowed: /[0-9A-Za-z-]/, replacement: '-', maxLength: 10, caseInsensitive: true };

const source: Omit<NameSource, 'type'> = {
  destination: { name: 'prod', template: defaultTemplate('secret-path', 'sealift') },
  namespace: { id: 'n1', path: 'team/web' },
  mount: { path: 'my/kv', accessor: 'kv_1a2b3c4d' },
  secretPath: 'app/db',
  subKey: '',
};

describe('external names', () => {
  it('names are built from accessor, path and key where nobody chose a template', () => {
    expect(externalName({ ...source, type: cloud })).to.deep.equal({
      name: 'sealift/kv_1a2b3c4d/app/db',
      nameKey: 'sealift/kv_1a2b3c4d/app/db',
    });
    const perKey = {
      ...source,
      destination: { name: 'web', template: defaultTemplate('secret-key', 'sealift') },
      subKey: 'user-name',
    };
    expect(externalName({ ...perKey, type: repository })).to.deep.equal({
      name: 'SEALIFT_KV_1A2B3C4D_APP_DB_USER_NAME',
      nameKey: 'sealift_kv_1a2b3c4d_app_db_user_name',
    });
  });

  it('names know the parts of every path', () => {
    const template =
      '{{ .DestinationType }}.{{ .DestinationName }}.{{ .NamespacePath }}.{{ .NamespaceBaseName }}.{{ .NamespaceID }}.{{ .MountPath }}.{{ .MountBaseName }}.{{ .SecretBaseName }}';
    expect(
      externalName({ ...source, type: cloud, destination: { name: 'prod', template } }),
    ).to.have.property('name', 'cloud1-sm.prod.team/web.web.n1.my/kv.kv.db');
    const root = { ...source, namespace: { id: 'root', path: '' } };
    expect(
      externalName({
        ...root,
        type: cloud,
        destination: { name: 'prod', template: '{{ .NamespaceBaseName }}x' },
      }),
    ).to.have.property('name', 'x');
  });

  it('names fit the alphabet of the store, one character for one', () => {
    expect(normaliseName(vault, 'a/b_c d😀é')).to.equal('a-b-c-d--');
    expect(normaliseName(repository.names, 'app.db/key')).to.equal('APP_DB_KEY');
  });

  it('names are refused where they are empty, too long, or what the store reserves', () => {
    expect(checkName(vault, '')).to.contain('empty');
    expect(checkName(vault, 'x'.repeat(11))).to.contain('11 characters, but the store allows at most 10');
    expect(checkName(vault, 'a_b')).to.contain('"_"');
    expect(checkName(vault, 'x'.repeat(10))).to.equal(null);
    for (const name of ['GITHUB_TOKEN', '1ST'])
      expect(checkName(repository.names, name), name).to.be.a('string');
  });

  it('names are equal where the store takes them for one entry', () => {
    expect(nameKey(vault, 'App')).to.equal(nameKey(vault, 'aPP'));
    expect(nameKey(repository.names, 'A_B')).to.equal(nameKey(repository.names, 'a_b'));
    expect(nameKey(cloud.names, 'App')).to.not.equal(nameKey(cloud.names, 'app'));
  });

  it('names cannot be had for a secret too deep, a key too long, or one with a null character', () => {
    expect(externalName({ ...source, type: cloud, secretPath: 'x'.repeat(600) })).to.have.property('fault');
    const template = '{{ .SecretKey }}';
    for (const subKey of ['x'.repeat(1025), 'a\0b']) {
      const named = externalName({ ...source, type: cloud, destination: { name: 'p', template }, subKey });
      expect(named).to.have.property('fault');
    }
  });
});
