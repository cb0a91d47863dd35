import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Violation = { id: string; impact: string | null; nodes: { html: string; failureSummary?: string }[] };

/** The serious and critical findings of axe on the page in its present state, one line each. */
export async function findBarriers(page: Page): Promise<string[]> {
  await page.evaluate(source);
  // Of what passes, axe only lists each element: half its work.
  const run = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`;
  const violations: Violation[] = await page.evaluate(run);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary = '' }) => `${id}: ${html} ${failureSummary}`),
    );
}
