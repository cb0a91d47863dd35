import { expect } from 'chai';
import { startSealift, type Sealift } from '../support/sealift.ts';

const WRITTEN = `# What the web team may do.
name = "web" // a label
path "secret/data/web/*" {
  capabilities = [
    "read", /* not list */ "create",
  ]
}

path "secret/data/+/shared" { capabilities = ["read"] policy = "deny" }
"path" "secret/metadata/*" { policy = "read" }
path "secret/data/web/*" { capabilities = ["update"] }\r
path = {
  "secret/data/note" = {
    capabilities = ["update"]
    denied_parameters = { "data" = [<<-END
      never
      END
    ] }
  }
}
`;

describe('policies in HCL', () => {
  let sealift: Sealift;
  let count = 0;
  before(async () => {
    sealift = await startSealift();
    for (const path of ['web/db', 'ops/shared', 'ops/db', 'note']) {
      await sealift.client.post(`/v1/secret/data/${path}`, { data: { path } });
    }
  });
  after(() => sealift.stop());

  async function tokenWith(...policies: string[]): Promise<string> {
    const names: string[] = [];
    for (const policy of policies) {
      count += 1;
      const answer = await sealift.client.post(`/v1/sys/policies/acl/h${count}`, { policy });
      expect(answer.status, answer.text).to.equal(204);
      names.push(`h${count}`);
    }
    return (await sealift.client.post('/v1/auth/token/create', { policies: names })).body.auth.client_token;
  }

  it('policies in HCL are enforced, and given back letter by letter under both paths', async () => {
    const token = await tokenWith(WRITTEN);
    const { client } = sealift;
    expect((await client.get(`/v1/sys/policies/acl/h${count}`)).body.data.policy).to.equal(WRITTEN);
    expect((await client.get(`/v1/sys/policy/h${count}`)).body.data.rules).to.equal(WRITTEN);
    const answers: Record<string, number> = {};
    for (const [method, path, body] of [
      ['GET', 'data/web/db'],
      ['POST', 'data/web/db', { data: {} }],
      ['POST', 'data/web/new', { data: {} }],
      ['DELETE', 'data/web/db'],
      ['GET', 'data/ops/shared'],
      ['GET', 'data/ops/db'],
      ['LIST', 'metadata/web'],
      ['GET', 'metadata/web/db'],
      ['POST', 'data/note', { data: {} }],
      ['GET', 'data/note'],
    ] as [string, string, unknown?][]) {
      const { status } = await client.call(method, `/v1/secret/${path}`, body, { token });
      answers[`${method} ${path}`] = status;
    }
    expect(answers).to.deep.equal({
      'GET data/web/db': 200,
      'POST data/web/db': 200,
      'POST data/web/new': 200,
      'DELETE data/web/db': 403,
      'GET data/ops/shared': 403,
      'GET data/ops/db': 403,
      'LIST metadata/web': 200,
      'GET metadata/web/db': 200,
      'POST data/note': 200,
      'GET data/note': 403,
    });
  });

  it('policies in base64 are read as the text that they stand for', async () => {
    const text = 'path "a/é" { capabilities = ["read"] }';
    const { client } = sealift;
    const policy = Buffer.from(text).toString('base64');
    expect((await client.call('PUT', '/v1/sys/policy/encoded', { policy })).status).to.equal(204);
    expect((await client.get('/v1/sys/policies/acl/encoded')).body.data.policy).to.equal(text);
  });

  it('a caller learns what its rules allow somewhere below a path, before it has a name', async () => {
    const token = await tokenWith(
      'path "sys/namespaces/team-*" { capabilities = ["create"] }\npath "sys/policies/acl/x" { capabilities = ["deny"] }',
    );
    const paths = ['sys/namespaces', 'sys/policies/acl', 'sys/namespaces/ops'];
    const { body } = await sealift.client.post('/v1/sys/capabilities-below', { paths }, { token });
    expect(body.data).to.deep.equal({
      'sys/namespaces': ['create'],
      'sys/policies/acl': ['deny'],
      'sys/namespaces/ops': ['deny'],
    });
    const own = await sealift.client.post('/v1/sys/capabilities-below', { paths });
    expect(own.body.data['sys/policies/acl']).to.deep.equal(['root']);
  });

  it('older words give the rights they always gave, and every capabilities endpoint says so', async () => {
    const { client } = sealift;
    const words = {
      read: ['read', 'list'],
      write: ['create', 'read', 'update', 'delete', 'list'],
      sudo: ['create', 'read', 'update', 'delete', 'list', 'sudo'],
      deny: ['deny'],
    };
    for (const [word, given] of Object.entries(words)) {
      const token = await tokenWith(`path "secret/*" { policy = "${word}" }`);
      const { accessor } = (await client.post('/v1/auth/token/lookup', { token })).body.data;
      const paths = ['secret/data/x', 'sys/mounts'];
      for (const answer of [
        await client.post('/v1/sys/capabilities-self', { paths }, { token }),
        await client.post('/v1/sys/capabilities', { paths, token }),
        await client.post('/v1/sys/capabilities-accessor', { paths, accessor }),
      ]) {
        expect(answer.body.data['secret/data/x'], word).to.have.members(given);
        expect(answer.body.data['sys/mounts'], word).to.deep.equal(['deny']);
      }
    }
    const unknown = { paths: ['secret/x'], token: 'nobody', accessor: 'nobody' };
    expect((await client.post('/v1/sys/capabilities', unknown)).status).to.equal(403);
    expect((await client.post('/v1/sys/capabilities-accessor', unknown)).status).to.equal(400);
    const token = await tokenWith('path "secret/*" { policy = "sudo" }');
    expect((await client.post('/v1/sys/capabilities', unknown, { token })).status).to.equal(403);
  });

  it('policies that cannot be read or enforced are refused with line and column', async () => {
    const refusals: [string, string | RegExp][] = [
      [
        'path "a" {\n  capabilities = ["read"\n}',
        /^the policy cannot be read: line 3, column 1: ] is expected here/,
      ],
      ['path "a" { capabilities = [reed] }', /line 1, column 28: a text needs quotes/],
      ['path "a" {\n\tcapabilities = ["reed"]\n}', /^line 2, column 18: .*"reed"/],
      [
        'path "a" { capabilities = ["read"] }\n\npath "b" { control_group = {} }',
        /^line 3, column 12: .*"control_group".*not enforced/,
      ],
      [
        'path "a" { capabilities = ["read"] mfa_methods = ["x"] }',
        /^line 1, column 36: .*"mfa_methods".*not enforced/,
      ],
      ['path "a" { capabilities = ["read"] capabilities = ["deny"] }', /column 36: .*occurs twice/],
      [
        'path = { "a" = { policy = "read" }\n"a" = { policy = "deny" } }',
        /^line 2, column 1: .*occurs twice/,
      ],
      ['path "a" { policy = "admin" }', /^line 1, column 21: policy must be one of deny, read, write, sudo/],
      ['path "a" "b" { policy = "read" }', /^line 1, column 10: a path block must have exactly one path/],
      ['path "a" = { policy = "read" }', /line 1, column 10: { is expected here/],
      ['path "{{identity.entity.id}}/*" { policy = "read" }', /^line 1, column 6: .*templates/],
      ['path "${var.path}" { policy = "read" }', /line 1, column 7: templates/],
      ['path "a/*/b" { policy = "read" }', /^line 1, column 6: .*use \+ for one segment/],
      ['rule "a" {}', /^line 1, column 1: a policy has only the key path/],
      ['path "a" { policy = "read" } /* open', /line 1, column 30: the comment has no end/],
      ['path "a\n" { policy = "read" }', /line 1, column 6: .*quote is missing/],
      ['path "a" { min_wrapping_ttl = 5m }', /line 1, column 31: .*a duration needs quotes/],
      [
        'path "a" { policy = "read" min_wrapping_ttl = "soon" }',
        /^line 1, column 47: .*seconds or a duration/,
      ],
      ['path "a" { policy = "read" min_wrapping_ttl = 9 max_wrapping_ttl = "8s" }', /longer than its max/],
      ['path "a" { policy = "read" required_parameters = "x" }', /^line 1, column 50: .*list of names/],
      [
        'path "a" { policy = "read" allowed_parameters = { x = "y" } }',
        /^line 1, column 51: .*must be a list/,
      ],
      ['path "a" { policy = "read" denied_parameters = { x = [], X = ["y"] } }', /occurs twice/],
      [`path "a" { policy = ${'['.repeat(70)}`, /nested deeper than 64 levels/],
    ];
    for (const [policy, reason] of refusals) {
      const answer = await sealift.client.post('/v1/sys/policies/acl/refused', { policy });
      expect(answer.status, policy).to.equal(400);
      expect(answer.body.errors[0], policy).to.match(reason as RegExp);
    }
    expect((await sealift.client.get('/v1/sys/policies/acl/refused')).status).to.equal(404);
  });
});
