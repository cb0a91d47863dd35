/** Paths of similar services that do not exist here, and what to do instead. Unknown paths get another answer. */
export const UNSUPPORTED_PATHS: { path: RegExp; detail: string }[] = [
  {
    path: /^sys\/rotate(?:\/keyring)?$/,
    detail:
      'there is no key to rotate here: each value has its own data key, and the operator changes the master key (docs/master-key.md)',
  },
];
