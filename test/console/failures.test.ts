import { expect } from 'chai';
import { curlFor } from '../../services/console/src/api/curl.ts';
import { ApiFailure, readProblems } from '../../services/console/src/api/failure.ts';
import { rightFor, rightsOf, rulesFor } from '../../services/console/src/api/right.ts';

describe('what the console makes of an answer', () => {
  it('texts and JSON API objects both become problems, with the field where one is named', () => {
    expect(readProblems(400, { errors: ['region is missing', 'port is missing'] })).to.deep.equal([
      { detail: 'region is missing' },
      { detail: 'port is missing' },
    ]);
    const pointed = [
      { detail: 'must be https', source: { pointer: '/data/attributes/archs/0/url' } },
      { title: 'conflict' },
      { detail: 'is wrong', source: { parameter: 'page[size]' } },
    ];
    expect(readProblems(422, { errors: pointed })).to.deep.equal([
      { detail: 'must be https', field: 'url' },
      { detail: 'conflict' },
      { detail: 'is wrong' },
    ]);
  });

  it('an answer without words is said in ours, also where it is no answer of the API', () => {
    const nothing = 'Not found, or you don’t have access.';
    expect(readProblems(404, { errors: [] })).to.deep.equal([{ detail: nothing }]);
    expect(readProblems(404, { errors: [{ title: 'not found' }] })).to.deep.equal([{ detail: nothing }]);
    expect(readProblems(502, undefined)).to.deep.equal([{ detail: 'The service answered 502.' }]);
    expect(readProblems(502, { errors: 'a text' })).to.deep.equal([{ detail: 'The service answered 502.' }]);
  });

  it('a regular expression of the API is not shown to people', () => {
    const detail = 'url must match pattern "^[Hh][Tt]+"';
    const said = { detail: 'url doesn’t have the required form' };
    expect(readProblems(400, { errors: [detail] })).to.deep.equal([said]);
    expect(readProblems(422, { errors: [{ detail }] })).to.deep.equal([said]);
  });

  it('a failure keeps everything but the problems that found their place', () => {
    const rights = [{ path: 'sys/status', capability: 'read' }];
    const failure = new ApiFailure({
      status: 503,
      problems: [{ detail: 'a' }, { detail: 'b' }],
      retryAfter: 7,
      requestId: 'r',
      rights,
    });
    const rest = failure.withProblems([{ detail: 'b' }]);
    expect([rest.message, rest.retryAfter, rest.requestId, rest.rights]).to.deep.equal(['b', 7, 'r', rights]);
  });

  it('a call needs the capability of its method on its path, as policies write them', () => {
    expect(rightFor('GET', 'sys/sync/summary')).to.deep.equal({
      path: 'sys/sync/summary',
      capability: 'read',
    });
    expect(rightFor('GET', 'secret/metadata/a%20b/?list=true')).to.deep.equal({
      path: 'secret/metadata/a b',
      capability: 'list',
    });
    const admin = rightFor('PATCH', '/api/v2/admin/smtp-settings?x=1');
    expect(admin).to.deep.equal({ path: 'api/v2/admin/smtp-settings', capability: 'patch' });
    const path = 'sys/policies/acl/ci';
    const creation = rightsOf({ method: 'POST', path, headers: { 'If-None-Match': '*' } });
    expect(creation).to.deep.equal([{ path, capability: 'create' }]);
    // A path has one rule. Policies write paths as their own namespace sees them.
    const rules = rulesFor([...creation, { path, capability: 'sudo' }, admin], 'team');
    expect(rules).to.equal(
      'path "team/sys/policies/acl/ci" {\n  capabilities = ["create", "sudo"]\n}\n' +
        'path "api/v2/admin/smtp-settings" {\n  capabilities = ["patch"]\n}',
    );
  });

  it('a call as curl holds no token and no secret, and nothing of it is taken by the shell', () => {
    const path = 'sys/sync/destinations/cloud1-sm/prod';
    const secrets = ['secret_access_key'];
    const body = { secret_access_key: 'a-hidden-value', region: "it's $HOME" };
    const text = curlFor([{ method: 'POST', path, body }], { secrets, namespace: 'team-a' });
    expect(text).to.not.include('a-hidden-value');
    expect(text).to.include('Bearer $SEALIFT_TOKEN').and.include("-H 'X-Namespace: team-a'");
    expect(text).to.include('-d @body.json\n# body.json: {"secret_access_key":"<secret_access_key>",');

    const headers = { 'If-Match': '"3-x"' };
    const open = curlFor([{ method: 'PATCH', path, body: { region: body.region }, headers }], { secrets });
    expect(open).to.include(`-d '{"region":"it'\\''s $HOME"}'`).and.include(`-H 'If-Match: "3-x"'`);
  });
});
