/** Paths of similar services that do not exist here, and what to do instead. Unknown paths get another answer. */
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
