import { isIP } from 'node:net';
import { buildConnector } from 'undici';
import { EgressError, isInRange, type NetworkLimits } from './guard.ts';

const OTHER_ADDRESS = 'the address is outside the networking limits of the destination';
const OTHER_PORT = 'the port is outside the networking limits of the destination';

/** The error if the limits of a destination forbid an address; null if they allow it. */
export function refuseAddress(address: string, limits: NetworkLimits | undefined): EgressError | null {
  if (!limits || limits.addresses.length === 0) return null;
  if (limits.addresses.some((range) => isInRange(address, range))) return null;
  return new EgressError(OTHER_ADDRESS, 'EGRESS_LIMITED');
}

/** Opens connections to allowed ports only. It judges a literal address too, because that needs no look-up. */
export function limitedConnector(
  limits: NetworkLimits,
  options: buildConnector.BuildOptions,
): buildConnector.connector {
  const open = buildConnector(options);
  return (target, callback) => {
    const { hostname, port, protocol } = target;
    const refusal =
      refusePort(Number(port) || (protocol === 'http:' ? 80 : 443), limits) ??
      (isIP(hostname) ? refuseAddress(hostname, limits) : null);
    if (refusal) return callback(refusal, null);
    open(target, callback);
  };
}

function refusePort(port: number, { ports }: NetworkLimits): EgressError | null {
  if (ports.length === 0 || ports.includes(port)) return null;
  return new EgressError(OTHER_PORT, 'EGRESS_LIMITED');
}
