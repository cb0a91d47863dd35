import { join } from 'node:path';
import { rmSync } from 'node:fs';
import { HVAC } from './hvac.ts';
import { pipInstall, python, pythonPackages } from './python-packages.ts';

// The collection is on PyPI only within the package of all collections. Of that, one folder is unpacked: 1 MB of 500.
const core = 'ansible-core==2.19.14';
const collections = 'ansible==12.3.0';
const unpack = `
import glob, sys, zipfile
for path in glob.glob(sys.argv[1] + '/*.whl'):
    wheel = zipfile.ZipFile(path)
    names = [name for name in wheel.namelist() if name.startswith('ansible_collections/community/hashi_vault/')]
    wheel.extractall(sys.argv[2], names)
`;

/** The folder that Python's path and Ansible's path of collections need for Ansible with `community.hashi_vault`. */
export const findAnsible = (): Promise<string> =>
  pythonPackages(collections.replace('==', '-'), async (folder) => {
    await pipInstall(folder, core, HVAC);
    const wheels = join(folder, 'wheels');
    await python('-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', wheels, collections);
    await python('-c', unpack, wheels, folder);
    rmSync(wheels, { recursive: true });
  });
