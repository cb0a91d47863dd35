import { ConnectorError } from '../../../libs/connector/errors.ts';

/** The ConnectorError that a verb fails with. Anything else fails the test. */
export async function failureOf(verb: Promise<unknown>): Promise<ConnectorError> {
  const error = await verb.then(
    () => new Error('the call went through'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof ConnectorError) return error;
  throw error;
}
