import { ERROR_CODES } from '../../libs/errors/codes.ts';

const INTRODUCTION = `# Codes of refusals

Every refused request has one of these codes. The caller gets its status, and a text that says more. The code itself is in the
metrics of mails and text messages (label \`outcome\`), and beside a notification that could not be delivered. What a store
refuses has a [cause](causes.md) instead. This page is made from the code by \`npm run fragments\`.
`;

/** Renders docs/errors.md: every code that the API or a worker refuses with. */
export function describeErrors(): string {
  const rows = Object.entries(ERROR_CODES).map(([code, row]) => {
    const action = 'action' in row ? row.action : 'What the text says.';
    return `| \`${code}\` | ${row.status} | ${row.meaning} | ${action} |`;
  });
  const head = ['| code | status | meaning | what a person does |', '| --- | --- | --- | --- |'];
  return [INTRODUCTION, ...head, ...rows, ''].join('\n');
}
