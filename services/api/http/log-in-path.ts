// Tokens and sessions are no auth methods that somebody enabled, and a role may be called `login`.
const LOG_IN = /^auth\/(?!(?:token|session)\/)(?:(?!role\/)[^/]+\/){1,8}login$/;

/** Whether a path, which begins within its namespace, is that of a log-in: whoever calls it comes without a token. */
export function isLogIn(path: string): boolean {
  return LOG_IN.test(path);
}

/** The same for a path that may begin with the path of a lower namespace. */
export function mayBeLogIn(path: string): boolean {
  return isLogIn(path) || isLogIn(path.slice(path.indexOf('/auth/') + 1));
}
