import type { Browser } from 'playwright-core';
import type { Database } from '../../../libs/db/connect.ts';
import { insertAssociations } from '../../support/associations.ts';
import { openCloud1Scene, cloud1Worker, type Cloud1Scene } from '../../support/sandboxed.ts';
import { eventually } from '../../support/eventually.ts';
import { openBrowser, openPage, type PageOptions, type WatchedPage } from './browser.ts';

const BATCH = 5000;

/** An installation with a store and a browser. Undo: `close`. */
export type ConsoleScene = Cloud1Scene & {
  browser: Browser;
  /** The URL of the console. */
  url: string;
  /** Opens a page that is signed in with the root token, or with another one. */
  signIn: (options?: PageOptions & { token?: string }) => Promise<WatchedPage>;
  link: (path: string, data?: Record<string, unknown>) => Promise<void>;
  /** Inserts synced associations into the database: `{prefix}/000000` and so on. */
  putRows: (type: string, name: string, count: number, prefix: string) => Promise<void>;
  waitForCounts: (counts: Record<string, number>) => Promise<void>;
};

/** Has a worker and a destination `cloud1-sm/prod`. */
export async function openConsoleScene(environment: Record<string, string> = {}): Promise<ConsoleScene> {
  const scene = await openCloud1Scene({ environment });
  const { sealift, driver, fake } = scene;
  const browser = await openBrowser();
  await sealift.start('worker', cloud1Worker(fake));
  const url = `${sealift.url}/ui/`;
  return {
    ...scene,
    browser,
    url,
    signIn: async ({ token = sealift.token, ...options } = {}) => {
      const watched = await openPage(browser, sealift.url, options);
      await watched.page.goto(url);
      await watched.page.getByLabel('Token').fill(token);
      await watched.page.getByRole('button', { name: 'Sign in' }).click();
      await watched.page.getByRole('heading', { name: 'Overview' }).waitFor();
      return watched;
    },
    link: async (path, data = { user: 'app', password: 'a-hidden-value' }) => {
      await driver.write(path, data);
      await driver.associate(path);
    },
    putRows: async (type, name, count, prefix) => {
      for (let from = 0; from < count; from += BATCH) {
        const last = Math.min(count, from + BATCH);
        await putBatch(sealift.context.db, { type, name }, pathsOf(prefix, from, last));
      }
    },
    waitForCounts: async (counts) => {
      await eventually(async () => {
        const { body } = await sealift.client.get('/v1/sys/sync/summary');
        return Object.entries(counts).every(([status, count]) => body.data.by_status[status] === count);
      });
    },
    close: async () => {
      await browser.close();
      await scene.close();
    },
  };
}

function pathsOf(prefix: string, from: number, to: number): string[] {
  return Array.from(
    { length: to - from },
    (_, index) => `${prefix}/${String(from + index).padStart(6, '0')}`,
  );
}

async function putBatch(db: Database, key: { type: string; name: string }, paths: string[]): Promise<void> {
  const { id: destination, place } = await db('destinations')
    .where(key)
    .first<{ id: number; place: string }>('id', 'place');
  const { id: mount } = await db('mounts').first<{ id: number }>('id');
  const row = {
    destination_id: destination,
    mount_id: mount,
    generation: 1,
    synced_generation: 1,
    due_at: null,
  };
  const ids = await insertAssociations(
    db,
    paths.map((path) => ({ secret_path: path, ...row })),
  );
  const entry = { destination_id: destination, place, sub_key: '', status: 'SYNCED', synced_version: 1 };
  await db('entries').insert(
    ids.map((id, index) => ({
      association_id: id,
      external_name: paths[index],
      name_key: `${key.name}/${paths[index] ?? ''}`,
      ...entry,
    })),
  );
}
