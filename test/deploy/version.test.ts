import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { projectRoot } from '../../deploy/local/root.ts';
import { readVersion } from '../../libs/config/version.ts';

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

describe('the version', () => {
  it('the package, its lock, the chart, the changelog and the documentation name one version', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    const lock = JSON.parse(read('package-lock.json')) as {
      version: string;
      packages: Record<string, object>;
    };
    const chart = parse(read('deploy/chart/Chart.yaml')) as { version: string; appVersion: string };
    const [newest] = [...read('CHANGELOG.md').matchAll(/^## \[(\d[^\]]*)\] - \d{4}-\d{2}-\d{2}$/gm)];
    const images = [...read('docs/operations.md').matchAll(/sealift:(\d+\.\d+\.\d+)/g)].map(([, one]) => one);
    expect(images).not.to.have.length(0);
    expect({
      lock: lock.version,
      chart: [chart.version, chart.appVersion],
      changelog: newest?.[1],
      images: [...new Set(images)],
      program: readVersion(),
    }).to.deep.equal({
      lock: version,
      chart: [version, version],
      changelog: version,
      images: [version],
      program: version,
    });
    expect(lock.packages['']).to.include({ version });
  });
});
