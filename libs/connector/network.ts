import { Type, type Static } from 'typebox';
import type { NetworkLimits } from '../egress/guard.ts';

const MOST = 256;

const addresses = (version: 4 | 6, example: string) =>
  Type.Array(
    Type.String({
      format: `ipv${version}-cidr`,
      errorMessage: `is an invalid CIDR address: IPv${version} with the length of its prefix, such as ${example}`,
    }),
    {
      title: `Allowed IPv${version} addresses`,
      maxItems: MOST,
      description:
        `IPv${version} ranges (CIDR) that the destination may connect to. ` +
        'If an IPv4 or IPv6 list is set, all other addresses are refused.',
    },
  );

/** What a destination of any type may reach. These settings narrow what the operator allows and never widen it. */
export const networkSettings = {
  allowed_ipv4_addresses: Type.Optional(addresses(4, '192.0.2.0/24')),
  allowed_ipv6_addresses: Type.Optional(addresses(6, '2001:db8::/32')),
  allowed_ports: Type.Optional(
    Type.Array(
      Type.Integer({
        minimum: 1,
        maximum: 65_535,
        errorMessage: 'is an invalid port: a port is a whole number from 1 to 65535',
      }),
      {
        maxItems: MOST,
        title: 'Allowed ports',
        description: 'Ports that the destination may connect to. Empty: every port.',
      },
    ),
  ),
  disable_strict_networking: Type.Optional(
    Type.Boolean({
      title: 'Disable strict networking',
      description:
        'Keeps the allowed addresses and ports but doesn’t apply them. The operator’s limits still apply.',
    }),
  ),
};

const schema = Type.Object(networkSettings);

type NetworkSettings = Static<typeof schema>;

/** The settings without those that limit nothing: empty lists and switches that are off. */
export function withoutIdleLimits(settings: Record<string, unknown>): Record<string, unknown> {
  const isIdle = (name: string, value: unknown): boolean =>
    Object.hasOwn(networkSettings, name) && (value === false || (Array.isArray(value) && value.length === 0));
  return Object.fromEntries(Object.entries(settings).filter(([name, value]) => !isIdle(name, value)));
}

/** The limits in checked settings; undefined if there are none. */
export function networkLimits(settings: NetworkSettings): NetworkLimits | undefined {
  const {
    allowed_ipv4_addresses: ipv4 = [],
    allowed_ipv6_addresses: ipv6 = [],
    allowed_ports: ports = [],
  } = settings;
  if (settings.disable_strict_networking) return undefined;
  const limits = { addresses: [...ipv4, ...ipv6], ports };
  return limits.addresses.length + ports.length > 0 ? limits : undefined;
}
