import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../deploy/local/root.ts';
import { describeBrokerError } from '../../libs/queue/refusals/describe.ts';
import { alarmed, cancelled, nacked, unanswered, unconfirmed } from '../../libs/queue/refusals/refusal.ts';

const CODES = [320, 403, 404, 405, 406, 530, 541, 'ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ETIMEDOUT'];

describe('what RabbitMQ refuses', () => {
  const refusals = [
    ...[...CODES, 'no handshake', 'EPROTO'].map((code) =>
      describeBrokerError(Object.assign(new Error('amqp://user:hunter2@host'), { code })),
    ),
    alarmed('low on memory'),
    cancelled('a'),
    nacked('a'),
    unanswered(),
    unconfirmed('a'),
  ];

  it('the documentation for operators lists every code', () => {
    const page = readFileSync(join(projectRoot, 'docs/operations.md'), 'utf8');
    const section = page.slice(page.indexOf('\n## RabbitMQ'), page.indexOf('\n## Stopping'));
    for (const { code } of refusals) expect(section).to.contain(`\`${code}\``);
  });

  it('every refusal has advice, and takes nothing from an unknown text', () => {
    expect(refusals.filter(({ advice, detail }) => !advice || !detail)).to.deep.equal([]);
    expect(JSON.stringify(refusals)).not.to.contain('hunter2');
  });
});
