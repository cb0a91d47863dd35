import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import { createDocument } from '../../../services/api/openapi/document.ts';
import { answerOf, type Example } from '../../../services/api/openapi/example.ts';
import { exampleTables } from '../../../services/api/openapi/examples/index.ts';
import { refusals } from '../../../services/api/openapi/examples/refusals.ts';
import { documentPaths } from '../../../services/api/openapi/paths.ts';
import { documentedRows } from '../../../services/api/openapi/rows.ts';
import type { Sealift } from '../../support/sealift.ts';
import { findAnswerFault } from '../../support/answers.ts';
import { findShapeFaults } from './shape.ts';
import { carryOut, findExampleFault, startExampleService, tables, type Kept } from './support.ts';

type Operation = { responses: Record<string, unknown>; security: unknown[] };

const document = await createDocument(tables);
const paths = document['paths'] as Record<string, Record<string, Operation>>;
const rows = documentedRows(tables);
const examples = exampleTables.flat();

// Without an identity provider, an issuer or a WebSocket these calls always fail. Tests of their own check their success.
const ONLY_REFUSED = [
  'GET /sys/events/subscribe/*type',
  'GET /users/saml/login',
  'POST /users/saml/auth',
  'POST /api/v2/admin/saml-settings/actions/test-sign-in',
  'GET /auth/session/saml',
  'POST /auth/session/saml',
  'POST /~jwt/login',
  'POST /~kubernetes/login',
];

// This list is fixed: nothing can be added.
const NEVER_ADDED = ['POST /sys/audit/*path'];

describe('the OpenAPI document', () => {
  it('the document is a valid OpenAPI 3.1 document', async () => {
    const result = await new Validator().validate(structuredClone(document));
    expect(result.valid, JSON.stringify(result.errors)?.slice(0, 2000)).to.equal(true);
    expect(document['openapi']).to.match(/^3\.1\./);
  });

  it('the document shows every row of every table, each of its methods too', () => {
    const missing = rows.flatMap((row) =>
      documentPaths(row.path).flatMap(({ path }) =>
        [row.method, ...(row.alsoMethods ?? [])]
          .map((method) => (method === 'LIST' ? 'get' : method.toLowerCase()))
          .filter((verb) => paths[path]?.[verb] === undefined)
          .map((verb) => `${verb} ${path}`),
      ),
    );
    expect(missing).to.deep.equal([]);
    expect(rows.length).to.be.greaterThan(100);
  });

  it('the document has an example for every row, and none for a row that is not there', () => {
    const keys = rows.map((row) => `${row.method} ${row.path}`);
    const shown = new Set(examples.map(({ of }) => of));
    expect(
      keys.filter((key) => !shown.has(key) && ![...ONLY_REFUSED, ...NEVER_ADDED].includes(key)),
    ).to.deep.equal([]);
    expect([...shown].filter((key) => !keys.includes(key))).to.deep.equal([]);
  });

  it('other requests are answered while the document is made for the first time', async () => {
    let others = 0;
    const other = setInterval(() => (others += 1), 1);
    await createDocument(tables);
    clearInterval(other);
    expect(others).to.be.above(0);
  });

  it('every example has the form that the document gives to its answer', async () => {
    const faults = await Promise.all(examples.map(findExampleFault));
    expect(faults.filter(Boolean)).to.deep.equal([]);
  });

  it('an answer with a key, a type or a status that the document does not list is found', async () => {
    const call = { method: 'GET', path: '/v1/sys/sync/config', wraps: false };
    const body = {
      request_id: '1',
      lease_id: '',
      renewable: false,
      lease_duration: 0,
      data: { disabled: false, queue_capacity: 1 },
      wrap_info: null,
      warnings: null,
      auth: null,
      mount_type: 'system',
    };
    const faultOf = (changes: object, status = 200) => {
      const answer = { ...body, ...changes };
      const headers = { 'content-type': 'application/json' };
      return findAnswerFault(call, { status, headers, body: answer, text: JSON.stringify(answer) });
    };
    expect(await faultOf({})).to.equal(undefined);
    expect(await faultOf({ more: 1 })).to.include('more');
    expect(await faultOf({ data: { disabled: false, queue_capacity: 1, more: 1 } })).to.include('more');
    expect(await faultOf({ data: { disabled: false } })).to.include('queue_capacity');
    expect(await faultOf({ data: { disabled: 'no', queue_capacity: 1 } })).to.include('boolean');
    expect(await faultOf({}, 201)).to.include('does not list 201');
  });

  it('the document gives every operation a success, its refusals, and who may call it', () => {
    for (const [path, operations] of Object.entries(paths)) {
      for (const [verb, { responses, security }] of Object.entries(operations)) {
        const statuses = Object.keys(responses).map(Number);
        const name = `${verb} ${path}`;
        if (!/^(post|put) \/sys\/(init|audit\/\{path\})$/.test(name))
          expect(
            statuses.some((status) => status < 400),
            name,
          ).to.equal(true);
        expect(statuses, name).to.include.members([400, 500, 503]);
        if (security.length > 0) expect(statuses, name).to.include(path.startsWith('/api/') ? 401 : 403);
      }
    }
  });

  it('the document has only expressions that the engines of Go, Rust and Java read as well', () => {
    const patterns = [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)];
    const written = [...new Set(patterns.map(([, pattern = '']) => JSON.parse(pattern) as string))];
    expect(written).to.have.length.greaterThan(10);
    for (const pattern of written) new RegExp(pattern, 'u').test('');
    expect(written.filter((pattern) => /\(\?[=!<]|\\[pPu1-9kK]/.test(pattern))).to.deep.equal([]);
  });

  it('the document marks every sensitive field as write-only, so that no viewer shows it', () => {
    const text = JSON.stringify(document);
    // A destination has a setting of that name, which examples show.
    const isExample = (name: string) => name === 'example' || name === 'examples';
    const rules = JSON.stringify(document, (name, part: unknown) => (isExample(name) ? undefined : part));
    expect(rules).to.not.include('"sensitive":true');
    for (const name of [
      'client_secret',
      'secret_access_key',
      'private-key',
      'aws-secret-key',
      'SAMLResponse',
    ]) {
      expect(text, name).to.match(new RegExp(`"${name}":\\{[^{}]*"writeOnly":true,"format":"password"`));
    }
    expect(text).to.not.match(/hvs\.|AKIA[0-9A-Z]{12}|ghp_\w{8}|BEGIN [A-Z ]*PRIVATE KEY/);
  });
});

describe('the examples of the OpenAPI document', () => {
  let sealift: Sealift;
  const kept: Kept = new Map();

  before(async () => {
    sealift = await startExampleService();
  });

  after(() => sealift.stop());

  const holds = async (example: Example): Promise<void> => {
    const answer = await carryOut(sealift, example, kept);
    expect(answer.status, answer.text).to.equal(example.status);
    const shown = answerOf(example);
    if (shown === undefined) {
      expect(answer.text).to.equal('');
      return;
    }
    expect(findShapeFaults(shown, answer.body ?? answer.text)).to.deep.equal([]);
    if (example.status >= 400 && example.answer !== undefined)
      expect(answer.body).to.deep.equal(example.answer);
  };

  for (const example of [...examples, ...refusals]) {
    it(`${example.of} answers ${example.status} as shown: ${example.name}`, () => holds(example));
  }

  it('the document is served as it was made, below /v1 as well', async () => {
    for (const path of ['/openapi.json', '/v1/openapi.json']) {
      const answer = await sealift.client.get(path, { token: null });
      expect(answer.headers['content-type']).to.include('application/json');
      expect(answer.body).to.deep.equal(JSON.parse(JSON.stringify(document)));
    }
  });

  it('the page of the document has a policy that lets a browser ask nobody else', async () => {
    const page = await sealift.client.get('/docs', { token: null });
    expect(page.headers['content-type']).to.include('text/html');
    const policy = String(page.headers['content-security-policy']);
    expect(policy).to.match(/^default-src 'none'/);
    expect(policy).to.not.match(/unsafe|\*|https?:/);
    const parts = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
    expect(parts.filter((address) => !address.startsWith('/'))).to.deep.equal([]);
    for (const address of parts) {
      const part = await sealift.client.get(address, { token: null });
      expect(part.status, address).to.equal(200);
      expect(part.headers['cache-control'], address).to.equal('no-store');
    }
    const start = await sealift.client.get('/docs/start.js', { token: null });
    expect(start.text)
      .to.include('validatorUrl: null')
      .and.not.match(/https?:/);
    for (const name of ['absent.js', '__proto__', 'swagger-ui.js.map']) {
      expect((await sealift.client.get(`/docs/${name}`, { token: null })).status, name).to.equal(404);
    }
  });
});
