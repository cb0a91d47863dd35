import { guardedAgent, keepAliveAgent, type EgressAgent } from '../../egress/agent.ts';
import type { ConnectorContext } from '../contract.ts';
import type { Failures } from './failures.ts';

type Options = {
  /**
   * The address comes from the vendor or the operator. Any other address was chosen by a caller, so the guard checks it.
   */
  isTrusted: boolean;
  maxSockets?: number;
  failures: Pick<Failures, 'describeTransport'>;
};

/** The connections to a store's address. Throws ConnectorError if the egress guard refuses the address. */
export function openAgent(
  url: string,
  context: ConnectorContext,
  { isTrusted, failures, ...options }: Options,
): EgressAgent {
  if (isTrusted) return keepAliveAgent(url, context, options);
  try {
    return guardedAgent(url, context, options);
  } catch (error) {
    throw failures.describeTransport(error) ?? error;
  }
}
