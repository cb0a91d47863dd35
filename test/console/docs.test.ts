import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { openBrowser, openPage } from './support/browser.ts';

describe('the page of the API', function () {
  let sealift: Sealift;
  let browser: Browser;

  before(async function () {
    this.timeout(600_000);
    sealift = await startSealift();
    browser = await openBrowser();
  });

  after(async () => {
    await browser.close();
    await sealift.stop();
  });

  it('a browser shows an operation of the page and asks nobody but the service', async () => {
    const { page, context, faults } = await openPage(browser, sealift.url);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(`${sealift.url}/docs`);
    await page.locator('#operations-tag-System').click();
    await page.locator('#operations-System-get_sys_health').click();
    await page.getByText('initialized').first().waitFor();
    expect(
      requests.filter((url) => !url.startsWith(`${sealift.url}/`) && !url.startsWith('data:')),
    ).to.deep.equal([]);
    expect(requests).to.include(`${sealift.url}/openapi.json`);
    expect(faults.filter((fault) => !fault.includes('data:'))).to.deep.equal([]);
    await context.close();
  });
});
