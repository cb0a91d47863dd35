import { ConnectorError, type FailureDetails } from '../../../libs/connector/errors.ts';

/** The far side of a call, as people know it, and the setting or variable that names its address. */
export type Peer = { name: string; address: string };

/** What it means that a call got no answer; undefined where the error is none of the network's. */
export function describeTransport(error: unknown, peer: Peer): ConnectorError | undefined {
  const details = explain(readCode(error), peer);
  return details && new ConnectorError({ ...details, scope: 'destination' });
}

/** An answer that the far side would not have given. */
export function unexpectedAnswer({ name }: Peer): ConnectorError {
  return new ConnectorError({ ...unexpected(name), scope: 'destination' });
}

function unexpected(name: string): FailureDetails {
  return {
    kind: 'external',
    code: 'unexpected_answer',
    message: `The answer was not one of ${name}: something in between may have sent it.`,
  };
}

function explain(code: string, { name, address }: Peer): FailureDetails | undefined {
  if (code === 'EGRESS_REFUSED')
    return {
      kind: 'client',
      code: 'egress_refused',
      message: `${address} may not be called: it is not https, leads to a special-purpose address or refers elsewhere. The operator can allow it with EGRESS_ALLOW.`,
    };
  if (code === 'ABORT_ERR')
    return { kind: 'external', code: 'interrupted', message: 'The call was stopped before its end.' };
  if (code === 'CALL_TIMEOUT' || code === 'ETIMEDOUT')
    return {
      kind: 'external',
      code: 'timed_out',
      message: `There was no answer of ${name} in time; it is tried again.`,
    };
  if (code === 'ANSWER_TOO_LONG') return unexpected(name);
  // Whoever runs the server may mend it without telling us, so it is tried again.
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS/.test(code))
    return {
      kind: 'external',
      code: 'certificate_refused',
      message: `The certificate of ${name} is not trusted here; add its authority with NODE_EXTRA_CA_CERTS.`,
    };
  if (/^(?:E[A-Z_]+|HPE_\w+)$/.test(code))
    return {
      kind: 'external',
      code: 'unreachable',
      message: `There was no connection to ${name} (${code}): check ${address} and the network.`,
    };
  return undefined;
}

// Several failed addresses of one name are an AggregateError with a code of its own.
function readCode(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if (error.name === 'AbortError') return 'ABORT_ERR';
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
