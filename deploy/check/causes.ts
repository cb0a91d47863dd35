import { type CauseRow, SHARED_CAUSES } from '../../libs/connector/causes.ts';
import { ENGINE_CAUSES } from '../../libs/connector/engine-causes.ts';
import type { Destination } from '../../libs/connector/contract.ts';

const INTRODUCTION = `# Causes

What the \`code\` of a cause means: in the status of an association, in notifications and in the metric
\`sealift_sync_attempts_total\`. The same condition has the same code at every store. This page is made from the code by
\`npm run fragments\`.

- **with backoff**: tried again for ever, first after \`RETRY_MIN\` (1 s), at last every \`RETRY_MAX\` (15 min) or as the store says.
- **when told**: tried again as soon as the store allows, after an hour at most, or when what holds it back ends; waiting is no failure.
- **slowly**: looked at again after \`RECHECK_MIN\` (1 min), then 2, 5, 15 and 60 times that, because it may be fixed outside; at
  once when the secret or the destination changes.
- **after a change**: not before the secret or the destination changes.

A store may say of a request that nothing but a change of it helps: then \`request_refused\` is tried again after a change only.
`;

/** Renders docs/causes.md: all codes that a connector or the engine may report. */
export function describeCauses(types: Pick<Destination, 'title' | 'causes'>[]): string {
  const own = types.flatMap(({ title, causes = {} }) =>
    Object.keys(causes).length === 0 ? [] : [table(`Only of ${title}`, causes)],
  );
  return [
    INTRODUCTION,
    table('Of every store', SHARED_CAUSES),
    ...own,
    table('Of the engine', ENGINE_CAUSES),
  ].join('\n');
}

function table(title: string, causes: Record<string, CauseRow>): string {
  const rows = Object.entries(causes).map(
    ([code, cause]) =>
      `| \`${code}\` | ${plain(cause.message)} | ${retried(cause)} | ${plain(cause.action ?? 'Nothing.')} |`,
  );
  return [
    `## ${title}\n`,
    '| code | meaning | tried again | what a person does |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

function retried({ kind, final }: CauseRow): string {
  if (final === true) return 'after a change';
  if (kind === 'external') return 'with backoff';
  return kind === 'throttled' ? 'when told' : 'slowly';
}

function plain(text: string): string {
  const filled = text.replaceAll('{store}', 'the store').replaceAll('{setting}', 'the address');
  return filled
    .replace(/^\w/, (first) => first.toUpperCase())
    .replace('The address in the address', 'The address');
}
