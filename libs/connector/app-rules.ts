import type { EgressRules } from '../egress/guard.ts';

/**
 * How destinations of a type sign in as an app, whose key Sealift keeps. What the app signs proves who it is to whoever
 * gets it, so a destination uses it only at the app's own server.
 */
export type AppRules<Settings> = {
  /** The name of the app that the settings choose; undefined if they have other credentials. */
  nameOf: (settings: Settings) => string | undefined;
  /** The server of an app or of a destination. */
  serverOf: (settings: { enterprise_url?: string | undefined }) => string;
  /** What is wrong with the address of a server, as one sentence, or null. */
  faultOf: (enterpriseUrl: string, operator: Pick<EgressRules, 'egressAllow'>) => string | null;
};
