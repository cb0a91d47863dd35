import { expect } from 'chai';
import { settingsOf } from '../../../libs/connector/settings.ts';
import { settingsDefinitions } from '../../../libs/settings/definitions.ts';
import { adminEndpoints, publicEndpoints, secretsEndpoints } from '../../../services/api/endpoints/index.ts';
import { catalog } from '../../../services/connectors/catalog.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';

type Found = { at: string; wording: unknown };

// Every schema with a rule that only an expert can read.
function rulesIn(schema: unknown, place: string): Found[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { pattern, format, errorMessage: wording } = schema as Record<string, unknown>;
  const own = typeof pattern === 'string' || typeof format === 'string' ? [{ at: place, wording }] : [];
  return [...own, ...Object.entries(schema).flatMap(([key, inner]) => rulesIn(inner, `${place}/${key}`))];
}

describe('the wording of refusals', () => {
  let sealift: Sealift;

  before(async () => {
    sealift = await startSealift();
  });

  after(() => sealift.stop());

  it('every pattern and format that a caller can hit has a message of its own with an example', () => {
    const endpoints = [...publicEndpoints, ...secretsEndpoints, ...adminEndpoints].flatMap(
      ({ method, path, query, body, describedBody }) =>
        rulesIn({ query, body, describedBody }, `${method} ${path}`),
    );
    const settings = settingsDefinitions.flatMap(({ kind, schema }) => rulesIn(schema, kind));
    const types = catalog.flatMap((type) => rulesIn(settingsOf(type), type.type));
    expect(endpoints).to.have.length.above(20);
    expect(types).to.have.length.above(10);
    for (const { at, wording } of [...endpoints, ...settings, ...types])
      expect(wording, at)
        .to.be.a('string')
        .and.match(/such as \S/);
  });

  it('a refusal says what is wanted instead of a regular expression', async () => {
    const { client } = sealift;
    const audit = (since: string) => client.get(`/api/v2/admin/audit-events?filter[since]=${since}`);
    for (const since of ['2026-11-26', '2026-01-02T03:04:05+02:00', '0000-01-02T03:04:05Z']) {
      const answer = await audit(since);
      expect(answer.status).to.equal(422);
      expect(answer.text, since).to.include('such as 2026-01-02T03:04:05Z').and.include('+ is written %2B');
    }
    expect((await audit('2026-01-02T03:04:05%2B02:00')).status).to.equal(200);
    const type = 'policy-engine-versions';
    const attributes = { version: 'v1', url: 'ftp://x', sha: 'short' };
    const version = await client.post(`/api/v2/admin/${type}`, { data: { type, attributes } });
    for (const text of [
      'version must be a version',
      'such as 1.2.3',
      'url must be an http',
      'sha must be a SHA-256',
    ])
      expect(version.text).to.include(text);
    const region = await client.post('/v1/sys/sync/destinations/cloud1-sm/words', { region: 'eu_west' });
    expect(region.body.errors).to.deep.equal(['region must be a region, such as eu-west-1']);
    for (const { text } of [version, region]) expect(text).to.not.match(/match (pattern|format)/);
  });
});
