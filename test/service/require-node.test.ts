import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../deploy/local/root.ts';
import { OLDEST_NODE, requireNode } from '../../libs/service/require-node.ts';

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

describe('the version of Node.js', () => {
  it('a process on an older version says which one it needs', () => {
    expect(() => requireNode('20.20.2')).to.throw(/needs Node\.js 24 or newer; this is 20\.20\.2/);
    requireNode(`${OLDEST_NODE}.0.0`);
    requireNode('26.1.0');
  });

  it('the package, the image and `make` name the same version', () => {
    const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
    expect(engines.node).to.equal(`>=${OLDEST_NODE}`);
    expect(read('.node-version').trim()).to.equal(String(OLDEST_NODE));
    expect(read('deploy/Dockerfile')).to.include(`NODE_IMAGE=node:${OLDEST_NODE}-`);
  });
});
