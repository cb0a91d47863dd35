import type { Caller } from './caller.ts';
import type { AdminModel } from './model.ts';
import { pause, perform, type Stage } from './stage.ts';

const SETTINGS = '/api/v2/admin/customization-settings';
const ROTATE = '/api/v2/admin/oidc-settings/actions/rotate-key';
// A command with a lost reply may still be carried out within this time, while the next one would already run.
const COMMAND_LIVES_MS = 11_000;

/** Changes a setting again and again, with commands to the settings worker. */
export async function changeSettings(stage: Stage): Promise<void> {
  const { admin } = stage.model;
  for (;;) {
    await pause(stage, 500 + stage.random.integer(5 * stage.pauseMs));
    if (!stage.running()) return;
    const footer = admin.footer + 1;
    const { attempts } = await perform(stage, {
      about: 'settings',
      name: `footer ${footer}`,
      method: 'PATCH',
      path: SETTINGS,
      body: { data: { type: 'customization-settings', attributes: { footer: String(footer) } } },
      accept: [200],
    });
    admin.footer = footer;
    if (attempts > 1) await pause(stage, COMMAND_LIVES_MS);
  }
}

/** Makes a new signing key now and then, with commands to the key-maintenance worker. An acknowledged key is published. */
export async function rotateKeys(stage: Stage): Promise<void> {
  const { admin } = stage.model;
  for (;;) {
    await pause(stage, 3000 + stage.random.integer(20 * stage.pauseMs));
    if (!stage.running()) return;
    const rotation = { about: 'keys', name: 'rotate', method: 'POST', path: ROTATE, body: {}, accept: [204] };
    await perform(stage, rotation);
    const kids = await readKids(stage.caller);
    if (kids.every((kid) => admin.kids.has(kid)))
      stage.anomalies.push(`keys: a rotation was acknowledged, and no new key is published`);
    for (const kid of kids) admin.kids.add(kid);
  }
}

/** Finds acknowledged changes of the administration that are lost, one line each. */
export async function findLostAdministration(caller: Caller, admin: AdminModel): Promise<string[]> {
  const lost: string[] = [];
  if (admin.footer > 0) {
    const { answer } = await caller.send('GET', SETTINGS);
    const found: unknown = answer.body?.data?.attributes?.footer;
    if (found !== String(admin.footer))
      lost.push(`settings: the footer is ${String(found)}, not ${admin.footer}`);
  }
  const kids = new Set(admin.kids.size > 0 ? await readKids(caller) : []);
  for (const kid of admin.kids) if (!kids.has(kid)) lost.push(`keys: ${kid} is no longer published`);
  return lost;
}

async function readKids(caller: Caller): Promise<string[]> {
  const { answer } = await caller.send('GET', '/.well-known/jwks');
  const { keys } = answer.body as { keys: { kid: string }[] };
  return keys.map(({ kid }) => kid);
}
