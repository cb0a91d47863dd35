import type { Browser } from 'playwright-core';
import type { Database } from '../../../libs/db/connect.ts';
import type { Service } from '../../../libs/service/run-service.ts';
import { openCloud1Scene, cloud1Worker, type Cloud1Scene } from '../../support/sandboxed.ts';
import { eventually } from '../../support/eventually.ts';
import { openBrowser, openPage, type PageOptions, type WatchedPage } from './browser.ts';

type SignIn = PageOptions & { token?: string };

/** An installation with a store and a browser. Undo: `close`. */
export type ConsoleScene = Cloud1Scene & {
  browser: Browser;
  worker: Service;
  /** The URL of the console. */
  url: string;
  /** An empty page of a browser that is signed in with the root token, or with another one. */
  signIn: (options?: SignIn) => Promise<WatchedPage>;
  /** The same, on the first page that the user sees. */
  enter: (options?: SignIn) => Promise<WatchedPage>;
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
  const worker = await sealift.start('worker', cloud1Worker(fake));
  const url = `${sealift.url}/ui/`;
  // Without the form, which would load two pages more for each test; the tests of the session fill it in.
  const signIn = async ({ token = sealift.token, ...options }: SignIn = {}): Promise<WatchedPage> => {
    const watched = await openPage(browser, sealift.url, options);
    const headers = { authorization: `Bearer ${token}`, origin: sealift.url };
    const answer = await watched.context.request.post(`${sealift.url}/v1/auth/session`, { headers });
    if (!answer.ok()) throw new Error(await answer.text());
    return watched;
  };
  return {
    ...scene,
    browser,
    worker,
    url,
    signIn,
    enter: async (options = {}) => {
      const watched = await signIn(options);
      await watched.page.goto(url);
      // The first page depends on what the token may do.
      const menu = watched.page.getByRole('navigation', { name: 'Main' });
      await menu.getByRole('link').first().waitFor();
      if (options.token === undefined)
        await watched.page.getByRole('heading', { name: 'Overview' }).waitFor();
      return watched;
    },
    link: async (path, data = { user: 'app', password: 'a-hidden-value' }) => {
      await driver.write(path, data);
      await driver.associate(path);
    },
    putRows: (type, name, count, prefix) => insertRows(sealift.context.db, { type, name, count, prefix }),
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

// One statement, because rows that are built one by one take most of a test's time.
async function insertRows(
  db: Database,
  destination: { type: string; name: string; count: number; prefix: string },
): Promise<void> {
  await db.raw(
    `WITH made AS (
       INSERT INTO associations (namespace_id, destination_id, mount_id, secret_path, generation, synced_generation, due_at)
       SELECT 'root', d.id, m.id, :prefix || '/' || lpad(n::text, 6, '0'), 1, 1, NULL
       FROM destinations d, (SELECT id FROM mounts LIMIT 1) m, generate_series(0, :count - 1) n
       WHERE d.type = :type AND d.name = :name
       RETURNING id, destination_id, mount_id, secret_path
     ), keys AS (
       INSERT INTO association_keys (association_id, destination_id, mount_id, secret_path)
       SELECT id, destination_id, mount_id, secret_path FROM made
     )
     INSERT INTO entries (association_id, destination_id, container, sub_key, external_name, name_key, status, synced_version)
     SELECT made.id, d.id, d.container, '', secret_path, d.name || '/' || secret_path, 'SYNCED', 1
     FROM made JOIN destinations d ON d.id = made.destination_id`,
    destination,
  );
  // Autovacuum does this within a minute.
  await db.raw('ANALYZE associations, association_keys, entries');
}
