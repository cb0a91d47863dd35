import { Agent, Pool, type Dispatcher } from 'undici';
import { checkUrl, EgressError, mayReach, type EgressRules } from './guard.ts';
import { limitedConnector, refuseAddress } from './limits.ts';
import { checkedLookup, type Refuse, type Resolve } from './lookup.ts';

/** Keep-alive connections for calls. */
export type EgressAgent = Dispatcher;

type Limited = Pick<EgressRules, 'networkLimits'>;

/** `ca`: the certificates to trust instead of the usual ones. */
type Options = { maxSockets?: number; resolve?: Resolve; ca?: string[] };

const SPECIAL_ANSWER =
  'the host resolves to a special-purpose address; only the operator can allow it (EGRESS_ALLOW)';

// We close idle connections before the store closes them: otherwise it could cut a call that we send at that very moment.
// The caller limits the time of a whole call, so the parts of a call have no time limits.
const KEEP_ALIVE = {
  keepAliveTimeout: 15_000,
  keepAliveMaxTimeout: 15_000,
  headersTimeout: 0,
  bodyTimeout: 0,
};

/**
 * A keep-alive agent for the origin of a URL that a caller chose, and for no other. Each new connection goes to an
 * address that was checked in that same look-up, so a name that changes its answer between check and use gains nothing.
 * Throws EgressError at once if `checkUrl` finds fault. A request fails with one if the name leads to a special-purpose
 * address, or to an address outside the limits of the destination.
 */
export function guardedAgent(url: string, rules: EgressRules, options: Options = {}): EgressAgent {
  const fault = checkUrl(url, rules);
  if (fault) throw new EgressError(fault);
  // A literal address needs no look-up: `checkUrl` has judged it.
  return openPool(url, rules, options, (hostname, address) =>
    mayReach(hostname, address, rules)
      ? refuseAddress(address, rules.networkLimits)
      : new EgressError(SPECIAL_ANSWER),
  );
}

/**
 * A keep-alive agent for the origin of a URL that the vendor or the operator gave, and for no other. Checks only the
 * limits.
 */
export function keepAliveAgent(url: string, rules: Limited, options: Options = {}): EgressAgent {
  return openPool(url, rules, options);
}

/** A keep-alive agent for any origin of the vendor, with as many connections as there are calls. Checks only the limits. */
export function sharedAgent(rules: Limited, options: Omit<Options, 'maxSockets'> = {}): EgressAgent {
  return new Agent({ ...KEEP_ALIVE, connect: connectBy(rules, options) });
}

function openPool(url: string, rules: Limited, options: Options, refuse?: Refuse): Pool {
  const { maxSockets = 256 } = options;
  const connect = connectBy(rules, options, refuse);
  return new Pool(new URL(url).origin, { ...KEEP_ALIVE, connections: maxSockets, connect });
}

function connectBy({ networkLimits }: Limited, { resolve, ca }: Options, guard?: Refuse) {
  const limit: Refuse = (_hostname, address) => refuseAddress(address, networkLimits);
  const refuse = guard ?? (networkLimits && limit);
  const given = { ...(ca && { ca }), ...(refuse && { lookup: checkedLookup(refuse, resolve) }) };
  return networkLimits ? limitedConnector(networkLimits, given) : given;
}
