import type { Page } from 'playwright-core';
import { goTo } from './browser.ts';
import { openConsoleScene, type ConsoleScene } from './scene.ts';

/** All pages, each with a text that it shows when it has loaded. */
export const PAGES: [path: string, heading: string, there: string | RegExp][] = [
  ['', 'Overview', /needs attention|need attention/],
  ['problems', 'Problems', 'Needs attention'],
  ['destinations', 'Destinations', 'AWS Secrets Manager'],
  ['connect', 'Connect a destination', 'AWS Secrets Manager'],
  ['destinations/cloud1-sm/prod', 'prod', 'secret/app/taken'],
  ['destinations/cloud1-sm/prod/settings', 'prod', 'Delete this destination'],
  ['destinations/cloud1-sm/prod/history', 'prod', 'Created the destination'],
  ['destinations/cloud1-sm/prod/secret/secret/app/taken', 'secret/app/taken', 'History'],
  ['secrets', 'Secrets', 'secret/'],
  ['secrets/secret/app/', 'secret/app/', 'taken'],
  ['secrets/secret/app/taken', 'secret/app/taken', 'Synced to'],
  ['settings/smtp', 'SMTP settings', 'Sender'],
  ['settings/data-retention', 'Data retention settings', 'Delete data older than (days)'],
  ['settings/oidc', 'Signing keys', 'Trim the signing keys'],
  ['access/tokens', 'Tokens', 'yours'],
  ['access/policies', 'Policies', 'site-admin'],
  ['access/policies/default', 'default', 'Test a path'],
  ['access/sessions', 'Sessions', 'this browser'],
  ['access/auth-methods', 'Auth methods', 'token based credentials'],
  ['access/teams', 'Teams', 'No teams yet'],
  ['access/namespaces', 'Namespaces', 'No child namespaces'],
  ['versions', 'Versions', 'No versions yet'],
  ['alerts', 'Alerts', 'No rules yet'],
  ['new-alert', 'New alert rule', 'Send a test before you save it.'],
  ['audit', 'Audit', /[0-9] entries/],
  ['links', 'Links', 'secret/app/taken'],
  ['readers/secret/app/taken', 'Who may read secret/app/taken', 'Roles and teams'],
  ['activity/secret/app/taken', 'secret/app/taken', 'Saved version 1'],
  ['status', 'Status', 'Versions and keys'],
  ['nowhere', 'Page not found', 'Go to the overview'],
];

/** A scene with what the pages show: a link in sync, and one in conflict. */
export async function openPagesScene(): Promise<ConsoleScene> {
  const scene = await openConsoleScene();
  scene.fake.plant({ name: 'app/taken', value: 'of somebody else' });
  for (const path of ['app/db', 'app/taken']) await scene.link(path);
  await scene.waitForCounts({ SYNCED: 1, CLIENT_SIDE_ERROR: 1 });
  return scene;
}

/** Goes to a page as a link does, or with `load` as its address does, and waits until it has loaded. */
export async function visit(
  scene: ConsoleScene,
  page: Page,
  [path, heading, there]: (typeof PAGES)[number],
  { load = false } = {},
): Promise<void> {
  await (load ? page.goto(`${scene.url}${path}`) : goTo(page, `${scene.url}${path}`));
  await page.getByRole('heading', { name: heading, exact: true }).first().waitFor();
  await page.getByText(there).filter({ visible: true }).first().waitFor();
  // A part of a page may load after its text is there.
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'hidden' });
}
