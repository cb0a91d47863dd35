/** Paths of other services that are not here, and what to do instead; a path that nobody knows is told apart from these. */
export const UNSUPPORTED_PATHS: { path: RegExp; detail: string }[] = [
  {
    path: /^sys\/rotate(?:\/keyring)?$/,
    detail:
      'there is no key to rotate: each value has a data key of its own, and the operator changes the master key, as docs/master-key.md tells',
  },
  {
    path: /^sys\/sync\/github-apps(?:\/|$)/,
    detail: 'GitHub apps are not supported: give the destination an access_token',
  },
];
