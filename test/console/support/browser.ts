import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { findChromium } from '../../../deploy/local/binaries.ts';
import { ensureBinaries } from '../../../deploy/local/install.ts';

export type Size = { width: number; height: number };

export const WIDE: Size = { width: 1440, height: 900 };
export const NARROW: Size = { width: 360, height: 740 };

/** A page that records errors and forbidden requests. */
export type WatchedPage = { page: Page; context: BrowserContext; faults: string[] };

/** A real Chromium, installed if it is missing. Undo: `close`. */
export async function openBrowser(): Promise<Browser> {
  ensureBinaries({ postgres: false, rabbitmq: false, chromium: true });
  const executablePath = findChromium() ?? '';
  // Chromium's sandbox cannot run as root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args });
}

/** `ignoreHTTPSErrors`: servers of the test use self-signed certificates. */
export type PageOptions = {
  size?: Size;
  theme?: 'light' | 'dark';
  ignoreHTTPSErrors?: boolean;
  permissions?: string[];
  hasTouch?: boolean;
  isMobile?: boolean;
  timezoneId?: string;
};

/** A page in a new browser context. Its `faults` are violated policies, errors and requests to other hosts. */
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
  // Enough for a busy machine, as in `eventually`.
  page.setDefaultTimeout(90_000);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    // A refusal by the API is a normal answer, but the browser reports it as an error.
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

/** Goes to a page of the console as a link does. A load of the whole console is several times the work: only a new tab has it. */
export async function goTo(page: Page, url: string): Promise<void> {
  if (new URL(page.url()).origin !== new URL(url).origin) await page.goto(url);
  else await page.evaluate(`history.pushState({}, '', ${JSON.stringify(url)})`);
}
