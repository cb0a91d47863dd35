import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { findChromium } from '../../../deploy/local/binaries.ts';
import { ensureBinaries } from '../../../deploy/local/install.ts';

export type Size = { width: number; height: number };

export const WIDE: Size = { width: 1440, height: 900 };
export const NARROW: Size = { width: 360, height: 740 };

/** A page that remembers what must not happen in it. */
export type WatchedPage = { page: Page; context: BrowserContext; faults: string[] };

/** A real Chromium, installed where it is missing. Undo: `close`. */
export async function openBrowser(): Promise<Browser> {
  ensureBinaries({ postgres: false, rabbitmq: false, chromium: true });
  const executablePath = findChromium() ?? '';
  // The sandbox of Chromium does not start as root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args });
}

/** `ignoreHTTPSErrors`: servers of the test sign their certificates themselves. */
export type PageOptions = {
  size?: Size;
  theme?: 'light' | 'dark';
  ignoreHTTPSErrors?: boolean;
  permissions?: string[];
};

/** A page of a browser that nobody has used: a violated policy, an error and a request elsewhere are its `faults`. */
export async function openPage(
  browser: Browser,
  origin: string,
  { size = WIDE, theme = 'light', ...more }: PageOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({
    viewport: size,
    colorScheme: theme,
    reducedMotion: 'reduce',
    ...more,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    // A refusal of the API is an answer like others; the browser calls it an error.
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isAnswer) faults.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) faults.push(`request elsewhere: ${request.url()}`);
  });
  await page.addInitScript(
    `addEventListener('securitypolicyviolation', (event) =>
       console.error('policy violated: ' + event.violatedDirective + ' ' + event.blockedURI));`,
  );
  return { page, context, faults };
}
