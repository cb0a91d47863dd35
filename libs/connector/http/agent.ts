import { guardedAgent, keepAliveAgent, type EgressAgent } from '../../egress/agent.ts';
import type { ConnectorContext } from '../contract.ts';
import type { Failures } from './failures.ts';

type Options = {
  /** The address is the vendor's or the operator's; any other, which a caller chose, is guarded. */
  isTrusted: boolean;
  maxSockets?: number;
  failures: Pick<Failures, 'describeTransport'>;
};

/** The connections to a store's address. Throws ConnectorError where the egress guard refuses it. */
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
