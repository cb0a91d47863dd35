import { hasCode, isMissing } from './errors.ts';

/** A permission, and a call that needs it and changes nothing. */
export type Probe = [permission: string, call: () => Promise<unknown>];

/**
 * The permissions that are missing. Stores check the permission before the existence: for a name that no entry has, "not
 * found" means "allowed". The first probe runs alone, so that one call detects wrong credentials. All others run at once.
 */
export async function findMissingPermissions([first, ...rest]: Probe[]): Promise<string[]> {
  const missing = [first && (await tryOut(first)), ...(await Promise.all(rest.map(tryOut)))];
  return missing.filter((permission) => typeof permission === 'string');
}

// Returns null if the call is allowed.
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
