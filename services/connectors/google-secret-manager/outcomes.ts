import { ConnectorError } from '../../../libs/connector/errors.ts';

/** Whether an error carries this code of the failure table. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof ConnectorError && error.code === code;
}

/** Whether an error says that there is no such secret, or no such version of it. */
export function isMissing(error: unknown): boolean {
  return error instanceof ConnectorError && error.kind === 'missing';
}
