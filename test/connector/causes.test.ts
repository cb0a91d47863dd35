import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../deploy/local/root.ts';
import { SHARED_CAUSES } from '../../libs/connector/causes.ts';
import { ENGINE_CAUSES } from '../../libs/connector/engine-causes.ts';
import { catalog } from '../../services/connectors/catalog.ts';
import { readSources } from '../architecture/sources.ts';

const page = readFileSync(join(projectRoot, 'docs/causes.md'), 'utf8');
const documented = new Set([...page.matchAll(/^\| `(\w+)`/gm)].map(([, code]) => code ?? ''));
const sources = readSources();

/** All literal codes that a source gives to failures. */
function codesIn(folder: RegExp): { path: string; code: string }[] {
  const given =
    /\bcode: '([a-z_]+)'|\bfail\(\s*'([a-z_]+)'|\b(?:contradiction|refusal)\(\s*'([a-z_]+)'|\bhasCode\(\w+, ([^)]*)\)/g;
  return sources
    .filter(({ path }) => folder.test(path))
    .flatMap(({ path, code: text }) =>
      [...text.matchAll(given)].flatMap(([, ...found]) =>
        found
          .filter((one) => one !== undefined)
          .flatMap((one) => one.match(/[a-z_]+/g) ?? [])
          .map((code) => ({ path, code })),
      ),
    );
}

describe('the causes of failures', () => {
  it('each cause has one meaning: no store has its own under a code that others know', () => {
    const shared = [...Object.keys(SHARED_CAUSES), ...Object.keys(ENGINE_CAUSES)];
    const own = catalog.flatMap(({ causes = {} }) => Object.keys(causes));
    expect([...shared, ...own]).to.have.length(new Set([...shared, ...own]).size);
  });

  it('docs/causes.md tells of all causes, and of nothing else', () => {
    const known = [SHARED_CAUSES, ENGINE_CAUSES, ...catalog.map(({ causes = {} }) => causes)];
    expect([...documented].toSorted()).to.deep.equal(
      known.flatMap((causes) => Object.keys(causes)).toSorted(),
    );
  });

  it('connectors and the engine give and ask for no other codes than the causes', () => {
    const found = codesIn(/^(?:services\/connectors|libs\/sync|libs\/connector)\//);
    expect(found.length).to.be.above(100);
    expect(found.filter(({ code }) => !documented.has(code))).to.deep.equal([]);
  });

  it('each cause of the engine is given somewhere in it', () => {
    const given = new Set(
      sources
        .filter(({ path }) => /^libs\/(?:sync|store\/destinations)\//.test(path))
        .map(({ code }) => code),
    );
    const unused = Object.keys(ENGINE_CAUSES).filter(
      (code) => ![...given].some((text) => text.includes(`'${code}'`)),
    );
    expect(unused).to.deep.equal([]);
  });

  it('the other documents name only codes of causes', () => {
    for (const name of ['notifications.md', 'api.md', 'operations.md']) {
      const text = readFileSync(join(projectRoot, 'docs', name), 'utf8');
      for (const [, code = ''] of text.matchAll(/"code": "([a-z_]+)"/g))
        expect(documented.has(code), `${code} in docs/${name}`).to.equal(true);
    }
  });
});
