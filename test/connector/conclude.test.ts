import { expect } from 'chai';
import { beginAttempt } from '../../libs/connector/engine/attempt.ts';
import { concludeAttempt } from '../../libs/connector/engine/conclude.ts';
import { toFailure } from '../../libs/connector/engine/failure.ts';
import type { EngineParts } from '../../libs/connector/engine/parts.ts';
import { ConnectorError } from '../../libs/connector/errors.ts';
import { failures as awsFailures } from '../../services/connectors/cloud1-sm/failures.ts';
import { readCredentialsFile } from '../../services/connectors/cloud3-sm/credentials-file.ts';
import { destination } from '../../services/connectors/cloud3-sm/destination.ts';
import type { WorkOrder } from '../../libs/store/orders/order.ts';

const parts = { context: { config: { LEASE: 1000 } }, destination } as unknown as EngineParts;
const order = { destination: {}, mount: {}, source: null } as WorkOrder;

function lookAgainMs(error: unknown): number | null {
  return concludeAttempt(beginAttempt(order), parts, toFailure(error)).lookAgainMs;
}

function ofAws(code: string): ConnectorError {
  const {
    errors: _errors,
    operations: _operations,
    ...details
  } = awsFailures.find((row) => row.code === code) ?? expect.fail(`no row ${code}`);
  return new ConnectorError(details);
}

describe('when a failed push is looked at again', () => {
  it('credentials that a person must change wait for that', () => {
    expect(lookAgainMs(ofAws('credentials_refused'))).to.equal(null);
  });

  it('credentials that the machine did not have this time are looked for again in a minute', async () => {
    expect(lookAgainMs(ofAws('credentials_missing'))).to.equal(60_000);
    const unread = await readCredentialsFile('key.json', {
      environment: () => '/nonexistent/credentials',
    }).catch((error: unknown) => error);
    expect(lookAgainMs(unread)).to.equal(60_000);
  });
});
