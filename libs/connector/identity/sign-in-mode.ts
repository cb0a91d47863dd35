import type { IdentityMode } from './identity.ts';

/**
 * What somebody has to do at the store. In both texts stand for their values: `{iss}`, `{issuer}` (the same without
 * `https://`), `{sub}`, `{aud}`, `{session}`, and the name of any setting in braces.
 */
export type SetUpStep = { text: string; code?: string };

/** A way in which a destination may sign in, for a form: which settings it has, and how to set it up at the store. */
export type SignInMode<Name extends string = string> = {
  mode: IdentityMode;
  title: string;
  /** All settings of the mode. Some may belong to other modes too; settings of no mode belong to all. */
  fields: Name[];
  /** Those without which it is not this mode. */
  required: Name[];
  steps: SetUpStep[];
};
