import type { EgressRules } from '../../egress/guard.ts';

/** How a type signs in without stored credentials. */
export type IdentityRules<Setting extends string = string> = {
  /** The setting that a destination with stored credentials has. */
  credential: Setting;
  /** The setting that names a role or an account that the destination takes on once it has signed in. */
  takesOn?: Setting;
  /** The type's name in the subject of tokens, whatever a path calls it. */
  subjectType: string;
  /** Most bytes of a subject, if the store takes fewer than others. */
  subjectBytes?: number;
  /** The name that the store shows for the sessions of a subject. */
  sessionName?: (subject: string) => string;
};

/** Who a destination is towards its store. The engine alone chooses what its tokens say. */
export type DestinationIdentity = {
  /** `iss` of its tokens. */
  issuer: string;
  /** `sub` of its tokens. */
  subject: string;
  /** Whether its settings are only tested, not stored: nothing but a person tries them again. */
  isDraft: boolean;
  /** A token that proves it, which may have been given before. `isAnew`: the store has refused that one. */
  token: (options?: { isAnew?: boolean }) => Promise<string>;
  /** Whether the store may not know it yet: a new trust for some minutes, a new key for as long as stores keep old ones. */
  isSettling: (part: 'trust' | 'key') => boolean;
  /** Whether the destination was made or changed after the key of its last token, so that its trust is the likelier fault. */
  isNewerThanKey: () => boolean;
};

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

/** How a destination proves who it is: with stored credentials, as an app, with tokens that we sign, or as the worker itself. */
export type IdentityMode = 'static' | 'app' | 'federated' | 'ambient';

/**
 * What somebody has to do at the store. In both texts stand for their values: `{iss}`, `{issuer}` (the same without
 * `https://`), `{sub}`, `{aud}`, `{session}`, and the name of any setting in braces. `when`, `unless`: the setting that,
 * if it is on, makes the step needed or needless.
 */
export type SetUpStep = { text: string; code?: string; when?: string; unless?: string };

/** A way in which a destination may sign in, for a form: which settings it has, and how to set it up at the store. */
export type SignInMode = {
  mode: IdentityMode;
  title: string;
  /** All settings of the mode. Some may belong to other modes too; settings of no mode belong to all. */
  fields: string[];
  /** Those without which it is not this mode. */
  required: string[];
  /** What its settings usually are, for a form to fill in. */
  usual?: Record<string, string>;
  steps: SetUpStep[];
};
