import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { LocalFailure } from './failure.ts';
import { findRunning, startProcess, stopProcess, tailLog } from './processes.ts';
import { localDirectory, projectRoot } from './root.ts';
import { standInFile } from './stand-ins.ts';
import { readState } from './state.ts';
import { waitFor } from './wait.ts';

/** The process of the stand-ins. */
export const sandbox = { name: 'sandbox', program: join(projectRoot, 'dist/test/sandbox/main.js') };

const { name } = sandbox;
const directory = localDirectory;
const file = join(localDirectory, 'sandbox.json');

/** Environment variables that lead each connector to its stand-in instead of the real store. */
const variables: Record<string, string | string[]> = {
  'cloud1-sm': ['AWS_ENDPOINT_URL_SECRETS_MANAGER', 'AWS_ENDPOINT_URL_STS'],
  'cloud2-kv-authority': 'SEALIFT_AZURE_AUTHORITY_HOST',
  'cloud2-kv-ca': 'NODE_EXTRA_CA_CERTS',
  'cloud3-sm': ['CLOUD3_SM_API_URL', 'GOOGLE_STS_URL', 'GOOGLE_IAMCREDENTIALS_URL'],
  'repo-host': 'REPO_HOST_API_URL',
  'hosting-project': 'HOSTING_PROJECT_API_URL',
};

const LOOPBACK = '127.0.0.0/8';
// The stand-ins make a new authority at each start. A shell that knows this path finds the present one.
const authorityFile = join(localDirectory, 'stand-in-authority.pem');

/** Starts the stand-ins of all stores in one process, or finds them running. Returns their URLs by destination type. */
export async function startSandbox(): Promise<Record<string, string>> {
  const running = findSandbox();
  if (running) return running;
  await stopSandbox();
  await startProcess({
    directory,
    name,
    command: process.execPath,
    arguments: ['--enable-source-maps', sandbox.program],
    workingDirectory: projectRoot,
    environment: { ...process.env, SANDBOX_FILE: file, SANDBOX_SETTINGS_FILE: standInFile },
  });
  const ready = await waitFor({
    limitMs: 30_000,
    check: () => (findRunning({ directory, name }) ? findSandbox() : {}),
  });
  if (ready && Object.keys(ready).length > 0) return ready;
  const log = tailLog({ directory, name });
  await stopSandbox();
  throw new LocalFailure(`The sandbox did not become ready.\n${log}`);
}

/** The URLs of a running sandbox, and its details as `TYPE-DETAIL`; undefined if none runs. */
export function findSandbox(): Record<string, string> | undefined {
  if (!findRunning({ directory, name })) return undefined;
  const urls: Record<string, string> = {};
  for (const [type, fake] of Object.entries(readState(file))) {
    if (typeof fake !== 'object' || fake === null) continue;
    for (const [detail, value] of Object.entries(fake))
      urls[detail === 'url' ? type : `${type}-${detail}`] = String(value);
  }
  return Object.keys(urls).length > 0 ? urls : undefined;
}

/** Stops the sandbox and forgets its addresses. */
export async function stopSandbox(): Promise<boolean> {
  const hadRun = await stopProcess({ directory, name, limitMs: 5000 });
  rmSync(file, { force: true });
  return hadRun;
}

/** The settings that lead the services to these stand-ins, to add to the caller's own settings. */
export function sandboxSettings(urls: Record<string, string>): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const [type, url] of Object.entries(urls)) {
    for (const variable of [variables[type] ?? []].flat()) settings[variable] = url;
  }
  if (settings['NODE_EXTRA_CA_CERTS']) {
    copyFileSync(settings['NODE_EXTRA_CA_CERTS'], authorityFile);
    settings['NODE_EXTRA_CA_CERTS'] = authorityFile;
  }
  // A shell that has sourced `.local/env` has the addresses of the stand-ins already.
  const allowed = new Set([...(process.env['EGRESS_ALLOW'] ?? '').split(','), LOOPBACK]);
  settings['EGRESS_ALLOW'] = [...allowed].filter(Boolean).join(',');
  return settings;
}
