/** What a call says of whom a store is to trust, as it came. */
export type Trust = Record<string, unknown>;

/** What a store is told to trust makes no sense; the message says what it needs. */
export class TrustError extends Error {}

/** The texts and numbers of a trust with these names, and no others. Throws TrustError. */
export function textsOf<Name extends string>(trust: Trust, names: readonly Name[]): Record<Name, string> {
  const missing = names.filter((name) => !['string', 'number'].includes(typeof trust[name]));
  if (missing.length > 0) throw new TrustError(`a trust needs ${missing.join(', ')}`);
  const unknown = Object.keys(trust).filter((name) => !names.some((known) => known === name));
  if (unknown.length > 0) throw new TrustError(`a trust of this kind takes no ${unknown.join(', ')}`);
  return Object.fromEntries(names.map((name) => [name, String(trust[name])])) as Record<Name, string>;
}

/** Whom a store with tokens of an issuer trusts. `holder`: what it lets them use. Throws TrustError. */
export function tokenTrustOf(trust: Trust): Record<'issuer' | 'subject' | 'audience' | 'holder', string> {
  return textsOf(trust, ['issuer', 'subject', 'audience', 'holder']);
}
