import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Violation = { id: string; impact: string | null; nodes: { html: string; failureSummary?: string }[] };

// axe gives all findings of a rule the rule's own impact, so rules of lesser impact need not run. Of what passes, axe only
// lists each element: half its work.
const RUN = `(() => {
  const lesser = axe.getRules().map(({ ruleId }) => ruleId)
    .filter((id) => ['minor', 'moderate'].includes(axe.utils.getRule(id).impact));
  const rules = Object.fromEntries(lesser.map((id) => [id, { enabled: false }]));
  return axe.run(document, { resultTypes: ['violations'], rules }).then(({ violations }) => violations);
})()`;

/** The serious and critical findings of axe on the page in its present state, one line each. */
export async function findBarriers(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(source);
  const violations: Violation[] = await page.evaluate(RUN);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary = '' }) => `${id}: ${html} ${failureSummary}`),
    );
}
