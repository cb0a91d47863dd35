import { hasCode, isMissing } from './errors.ts';

/** A call that changes nothing, and the permission that it needs. */
export type Probe = [permission: string, call: () => Promise<unknown>];

/**
 * The permissions that lack. Stores judge permission before existence: on a name that nobody has, "not found" means
 * "allowed". The first probe goes alone, so that wrong credentials are told by one call; all others go at once.
 */
export async function findMissingPermissions([first, ...rest]: Probe[]): Promise<string[]> {
  const missing = [first && (await tryOut(first)), ...(await Promise.all(rest.map(tryOut)))];
  return missing.filter((permission) => typeof permission === 'string');
}

// Null where the call is allowed.
async function tryOut([permission, call]: Probe): Promise<string | null> {
  try {
    await call();
    return null;
  } catch (error) {
    if (isMissing(error)) return null;
    if (hasCode(error, 'permission_missing')) return permission;
    throw error;
  }
}
