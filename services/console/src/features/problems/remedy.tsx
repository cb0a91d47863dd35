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
export function Remedy({
  type,
  name,
  code,
  only,
}: {
  type: string;
  name: string;
  code: string;
  /** The only secret that has this cause, as `mount/path`. */
  only?: string | undefined;
}) {
  const remedy = REMEDIES[code];
  // What is decided for one entry needs no other policy for the whole destination.
  if (code === 'conflict' && only !== undefined)
    return (
      <Link
        to="/destinations/$type/$name/secret/$"
        params={{ type, name, _splat: only }}
        className={kit.button}
      >
        Decide for this entry
      </Link>
    );
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
