import { Link } from '@tanstack/react-router';
import kit from '../../kit/kit.module.css';

const CREDENTIALS = 'Set credentials';

/** The part of the settings where credentials are replaced, in an address. */
export const CREDENTIALS_PART = 'credentials';

// What a person can do in the settings about a cause.
const REMEDIES: Record<string, string> = {
  credentials_refused: CREDENTIALS,
  credentials_missing: CREDENTIALS,
  ambient_not_allowed: CREDENTIALS,
  permission_missing: CREDENTIALS,
  conflict: 'Change conflict policy',
};

/** The way to the settings, if they can end a failure with this cause. */
export function Remedy({ type, name, code }: { type: string; name: string; code: string }) {
  const remedy = REMEDIES[code];
  if (remedy === undefined) return null;
  return (
    <Link
      to="/destinations/$type/$name/settings"
      params={{ type, name }}
      {...(remedy === CREDENTIALS ? { hash: CREDENTIALS_PART } : {})}
      className={kit.button}
    >
      {remedy}
    </Link>
  );
}
