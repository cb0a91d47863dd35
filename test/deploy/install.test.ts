import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../deploy/local/root.ts';

type Lock = { packages: Record<string, { hasInstallScript?: boolean }> };

// The script of the first only warns its own dependents, that of the second reports each installation to its makers.
const NEEDLESS_SCRIPTS = ['node_modules/@scarf/scarf', 'node_modules/protobufjs'];

describe('the installation of the packages', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sealift-install-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('npm neither runs an install script nor says a word about it', () => {
    const marker = join(folder, 'ran');
    const dependency = join(folder, 'dependency');
    const project = join(folder, 'project');
    mkdirSync(dependency);
    mkdirSync(project);
    write(join(dependency, 'package.json'), {
      name: 'eager',
      version: '1.0.0',
      scripts: { postinstall: `node -e "fs.writeFileSync('${marker}', '')"` },
    });
    const npm = { cwd: project, env: { ...process.env, npm_config_cache: join(folder, 'cache') } };
    execFileSync('npm', ['pack', '--silent', dependency], npm);
    write(join(project, 'package.json'), { dependencies: { eager: 'file:eager-1.0.0.tgz' } });
    copyFileSync(join(projectRoot, '.npmrc'), join(project, '.npmrc'));
    execFileSync('npm', ['install', '--package-lock-only', '--offline'], npm);
    const { status, stdout, stderr } = spawnSync('npm', ['ci', '--offline'], { ...npm, encoding: 'utf8' });
    expect(status, stderr).to.equal(0);
    expect(existsSync(join(project, 'node_modules/eager'))).to.equal(true);
    expect(existsSync(marker)).to.equal(false);
    expect(`${stdout}${stderr}`)
      .to.include('added 1 package')
      .and.not.match(/script/);
  });

  it('no package needs its install script', () => {
    const { packages } = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as Lock;
    const withScripts = Object.keys(packages).filter((path) => packages[path]?.hasInstallScript);
    expect(withScripts.toSorted()).to.deep.equal(NEEDLESS_SCRIPTS);
  });

  it('the package that reports installations to its makers is told not to', () => {
    const { scarfSettings } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
      scarfSettings?: object;
    };
    expect(scarfSettings).to.deep.equal({ enabled: false });
  });
});

function write(path: string, content: object): void {
  writeFileSync(path, JSON.stringify(content));
}
