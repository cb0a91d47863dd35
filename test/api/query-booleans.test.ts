import { expect } from 'chai';
import { createDocument } from '../../services/api/openapi/document.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { tables } from './openapi/support.ts';

const TRUE = ['1', 't', 'T', 'TRUE', 'true', 'True'];
const FALSE = ['0', 'f', 'F', 'FALSE', 'false', 'False'];
const WRONG = ['yes', 'on', 'tRUE', '2', '-1', 'null', 'truetrue', 'true%20'];

type Parameter = { in: string; name: string; required: boolean; schema: { type?: string } };

describe('booleans of a query', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
    await sealift.client.post('/v1/sys/mounts/old', { type: 'kv', options: { version: '1' } });
    await sealift.client.post('/v1/secret/data/app/db', { data: { user: 'a' } });
    await sealift.client.post('/v1/secret/data/app/old', { data: { user: 'a' } });
    await sealift.client.delete('/v1/secret/data/app/old');
  });
  after(() => sealift.stop());

  // Every boolean that the document knows, with the other parameters that the call needs.
  async function findBooleans(): Promise<{ verb: string; path: string; name: string }[]> {
    const paths = (await createDocument(tables))['paths'] as Record<string, Record<string, unknown>>;
    return Object.entries(paths).flatMap(([path, verbs]) =>
      Object.entries(verbs).flatMap(([verb, operation]) => {
        const { parameters = [] } = operation as { parameters?: Parameter[] };
        const inQuery = parameters.filter((parameter) => parameter.in === 'query');
        return inQuery
          .filter(({ schema }) => schema.type === 'boolean')
          .map(({ name }) => ({ verb, name, path: fill(path, name, inQuery) }));
      }),
    );
  }

  function fill(path: string, name: string, inQuery: Parameter[]): string {
    const others = inQuery
      // Where a path can be read and listed, most parameters belong to the list.
      .filter((parameter) => parameter.name !== name && (parameter.required || parameter.name === 'list'))
      .map((parameter) => `${parameter.name}=${parameter.schema.type === 'boolean' ? 'true' : '1'}&`);
    const mount = /^\/\{mount\}\/\w/.test(path) ? 'secret' : 'old';
    return `${path.replace('{mount}', mount).replaceAll(/\{\w+\}/g, 'x')}?${others.join('')}`;
  }

  it('every boolean is taken in each spelling that clients write, and in no other', async () => {
    const found = await findBooleans();
    const names = new Set(found.map(({ name }) => name));
    for (const name of ['list', 'exclude_deleted', 'purge', 'force_delete', 'anchors'])
      expect(names).to.include(name);
    for (const { verb, path, name } of found) {
      const call = (word: string) => sealift.client.call(verb.toUpperCase(), `${path}${name}=${word}`);
      for (const word of [...TRUE, ...FALSE]) {
        const { text } = await call(word);
        expect(text, `${verb} ${path}${name}=${word}`).to.not.contain('boolean');
      }
      for (const word of WRONG) {
        const answer = await call(word);
        expect(answer.status, `${verb} ${path}${name}=${word} ${answer.text}`).to.equal(400);
        expect(answer.text, `${verb} ${path}`).to.contain(`${name} must be boolean`);
      }
    }
  });

  it('a list shows the same however a client says that it wants one, and no list means a read', async () => {
    const listBy = (word: string) => sealift.client.get(`/v1/secret/metadata/app?list=${word}`);
    for (const word of TRUE) expect((await listBy(word)).body.data).to.deep.equal({ keys: ['db', 'old'] });
    for (const word of [...FALSE, '']) {
      const read = await sealift.client.get(`/v1/secret/metadata/app/db?list=${word}`);
      expect(read.body.data.current_version, word).to.equal(1);
    }
  });

  it('a list asked for in any spelling needs the right to list', async () => {
    await sealift.client.post('/v1/sys/policies/acl/reader', {
      policy: 'path "secret/metadata/*" { capabilities = ["read"] }',
    });
    const made = await sealift.client.post('/v1/auth/token/create', { policies: ['reader'] });
    const token = made.body.auth.client_token as string;
    for (const word of TRUE) {
      const answer = await sealift.client.get(`/v1/secret/metadata/app?list=${word}`, { token });
      expect(answer.status, word).to.equal(403);
    }
  });

  it('a filter in any spelling filters', async () => {
    const listBy = (word: string) => sealift.client.list(`/v1/secret/metadata/app?exclude_deleted=${word}`);
    for (const word of TRUE) expect((await listBy(word)).body.data.keys, word).to.deep.equal(['db']);
    for (const word of FALSE) expect((await listBy(word)).body.data.keys, word).to.deep.equal(['db', 'old']);
  });

  it('two contradicting words are refused', async () => {
    const answer = await sealift.client.get('/v1/secret/metadata/app?list=true&list=false');
    expect([answer.status, answer.body.errors]).to.deep.equal([400, ['list must be boolean']]);
  });
});
