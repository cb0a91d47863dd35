import { expect } from 'chai';
import { sentenceParts, sentenceText, type ToldEvent } from '../../libs/telling/sentence.ts';
import { actionOf } from '../../services/api/audit/action.ts';
import { toldPath } from '../../services/api/audit/told-path.ts';
import { adminEndpoints, publicEndpoints, secretsEndpoints } from '../../services/api/endpoints/index.ts';

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'LIST', 'POST', 'PUT', 'PATCH', 'DELETE'];

const rows = [...publicEndpoints, ...secretsEndpoints, ...adminEndpoints];

describe('the sentences of refused requests', () => {
  const refused = (action: string, path: string): ToldEvent => ({
    action,
    path,
    outcome: 'refused',
    detail: { kind: 'bad_token' },
  });

  it('a request that reached no route is told by its method and its place', () => {
    const tell = (method: string, path: string): string => sentenceText(refused(method, path));
    expect(tell('POST', 'auth/…')).to.equal('Tried to write auth/…');
    expect(tell('GET', 'secret/…')).to.equal('Tried to read secret/…');
    expect(tell('DELETE', '…')).to.equal('Tried to delete something');
    for (const method of METHODS) expect(tell(method, 'sys/…')).to.match(/^Tried to [a-z]+ sys\/…$/);
  });

  it('a sentence names nothing that a cut path does not tell', () => {
    expect(sentenceText(refused('POST /sys/teams/*path', 'sys/…'))).to.equal('Tried to write a team');
    expect(sentenceText(refused('POST /auth/approle/role/:name', 'auth/…'))).to.equal(
      'Tried to write an AppRole role',
    );
    const use = 'PUT /api/v2/admin/policy-engine-versions/:id/usages/:kind/:usageId';
    expect(sentenceText(refused(use, 'api/…'))).to.equal(
      'Tried to mark a policy engine version as used by something',
    );
    for (const row of rows) {
      const [, first = ''] = row.path.replace(/^\/~kv\d/, '/…').split('/');
      for (const path of [first === '…' ? first : `${first}/…`, '…']) {
        const parts = sentenceParts(refused(actionOf(row, row.method), path));
        const named = parts.flatMap((part) => ('text' in part ? [] : [part.value]));
        expect(named.filter((name) => name !== path)).to.deep.equal([]);
        const text = parts.map((part) => ('text' in part ? part.text : part.value)).join('');
        expect(text, row.path).to.not.match(/:[a-zA-Z]|\bthe [\w ]+ …|the [\w ]+\/…| {2}| $|job/);
      }
    }
  });

  it('a sentence names only parts of the path of a request that lacks a right', () => {
    expect(sentenceText(refused('POST /auth/jwt/role/:name', 'auth/ci/role/web'))).to.equal(
      'Tried to write the JWT role web',
    );
    expect(sentenceText(refused('POST /auth/kubernetes/config', 'auth/a/b/config'))).to.equal(
      'Tried to change the settings of the Kubernetes auth method a/b/',
    );
    const set = 'POST /sys/sync/destinations/:type/:name/associations/set';
    const inProd = 'sys/sync/destinations/cloud1-sm/prod/associations/set';
    expect(sentenceText(refused(set, inProd))).to.equal('Tried to link a secret to prod');
    for (const row of rows) {
      const path = toldPath(wholePathOf(row.path));
      const parts = sentenceParts(refused(actionOf(row, row.method), path));
      const text = parts.map((part) => ('text' in part ? part.text : `<${part.value}>`)).join('');
      expect(text, row.path).to.not.match(/:[a-zA-Z]| {2}| $|something|job/);
      for (const part of parts) {
        if ('text' in part || part.value === path) continue;
        expect(part.value, text).to.match(/^(?:the-[a-z]+|(?:team\/kv\/)?app\/db|team\/kv)$/);
      }
    }
  });
});

// A path of the route with a name for each parameter.
function wholePathOf(route: string): string {
  return route
    .replace(/^\/~kv\d/, 'team/kv')
    .replace(/^\/~[a-z]+/, 'auth/of/ours')
    .replace(/^\//, '')
    .replaceAll(/[{}]/g, '')
    .replaceAll(/:([a-zA-Z]+)/g, (_, name: string) => `the-${name.toLowerCase()}`)
    .replaceAll(/\*[a-z]+/g, 'app/db');
}
