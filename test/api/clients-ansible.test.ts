import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../deploy/local/root.ts';
import { findAnsible } from '../support/ansible.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

const run = promisify(execFile);
const playbook = join(projectRoot, 'test/api/clients-ansible.yml');

describe('Ansible’s collection for Vault, unchanged', () => {
  let sealift: Sealift;
  let ansible: string;
  let folder: string;
  before(async () => {
    ansible = await findAnsible();
    folder = mkdtempSync(join(tmpdir(), 'ansible-'));
    sealift = await startSealift();
  });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await sealift?.stop();
  });

  async function outcomeOf(story: string): Promise<Record<string, unknown>> {
    const result = join(folder, story);
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      LC_ALL: 'C.UTF-8',
      PYTHONPATH: ansible,
      PYTHONDONTWRITEBYTECODE: '1',
      ANSIBLE_HOME: folder,
      ANSIBLE_LOCAL_TEMP: folder,
      ANSIBLE_REMOTE_TEMP: folder,
      ANSIBLE_COLLECTIONS_PATH: ansible,
      VAULT_ADDR: sealift.url,
      VAULT_TOKEN: sealift.token,
      RESULT: result,
    };
    const words = ['-m', 'ansible', 'playbook', '--inventory', 'localhost,', '--connection', 'local'];
    const options = ['--extra-vars', 'ansible_python_interpreter=python3', '--tags', story, playbook];
    const { stdout } = await run('python3', [...words, ...options], { env, timeout: 240_000 }).catch(
      (error: { stdout: string; stderr: string }) => {
        throw new Error(`${error.stdout}\n${error.stderr}`);
      },
    );
    expect(stdout).to.contain('failed=0');
    return JSON.parse(readFileSync(result, 'utf8')) as Record<string, unknown>;
  }

  it('Ansible mounts stores of both versions, and writes, reads, lists and deletes secrets', async () => {
    expect(await outcomeOf('secrets')).to.deep.equal({
      kv1: { user: 'app', password: 'first' },
      first: 1,
      same: false,
      second: 2,
      conflict: "InvalidRequest writing to 'app/db'",
      newest: { password: 'second' },
      oldest: { password: 'first' },
      version: 2,
      listed: ['db'],
      nothing: "The path 'ansible two/metadata/nowhere' doesn't seem to exist.",
      lookups: {
        kv1: { user: 'app', password: 'first' },
        kv2: { password: 'second' },
        read: { password: 'second' },
        list: ['db'],
        old: 'first',
      },
      deleted:
        "Invalid or missing path ['app/db'] with secret version 'latest'. Check the path or secret version.",
      deletions: 2,
    });
  });

  it('Ansible makes tokens and uses them, and names what is refused as it does with Vault', async () => {
    expect(await outcomeOf('tokens')).to.deep.equal({
      policies: ['ansible', 'default'],
      read: { a: '1' },
      other: "Forbidden: Permission Denied to path ['other/app'].",
      written: "Forbidden: Permission Denied to path 'secret/data/ansible/app'.",
      child: ['ansible', 'default'],
      no_parent: `root or sudo privileges required to create orphan token, on post ${sealift.url}/v1/auth/token/create`,
      orphan: `permission denied, on post ${sealift.url}/v1/auth/token/create-orphan`,
      orphaned: true,
      invented: 'Invalid Vault Token Specified.',
    });
  });
});
