import { Link } from '@tanstack/react-router';
import { destinationPath } from '../../api/queries.ts';
import kit from '../../kit/kit.module.css';
import { Guarded } from '../../kit/rights/guarded.tsx';

/** The part of the settings where credentials are replaced, in an address. */
export const CREDENTIALS_PART = 'credentials';

type Place = 'credentials' | 'settings' | 'secret' | 'link';
type Way = { to: Place; label: string };

const CREDENTIALS: Way = { to: 'credentials', label: 'Set credentials' };
const SETTINGS: Way = { to: 'settings', label: 'Correct the settings' };
const SECRET: Way = { to: 'secret', label: 'Edit or roll back the secret' };
const DRIFT: Way = { to: 'link', label: 'Resolve drift' };
const LINK: Way = { to: 'link', label: 'Resolve this conflict' };

// Where a person can end a failure with this cause.
const REMEDIES: Record<string, Way> = {
  credentials_refused: CREDENTIALS,
  credentials_missing: CREDENTIALS,
  ambient_not_allowed: CREDENTIALS,
  // Usually the permission is granted in the store, and then a retry ends it.
  permission_missing: { to: 'credentials', label: 'Use other credentials' },
  trust_refused: SETTINGS,
  unreachable: SETTINGS,
  tls_failed: SETTINGS,
  redirected: SETTINGS,
  egress_refused: SETTINGS,
  egress_limited: SETTINGS,
  container_not_found: SETTINGS,
  configuration_invalid: SETTINGS,
  value_too_large: SECRET,
  value_empty: SECRET,
  value_unwritable: SECRET,
  too_many_bytes: SECRET,
  name_invalid: { to: 'link', label: 'Choose another name' },
  name_collision: { to: 'link', label: 'Choose another name' },
  conflict: LINK,
  blocked: SETTINGS,
  changed_outside: DRIFT,
  gone_outside: DRIFT,
};

// The same value or name would be refused again: a change of it is tried by itself.
const HOPELESS = new Set([
  'value_too_large',
  'value_empty',
  'value_unwritable',
  'too_many_bytes',
  'name_invalid',
]);

/** Whether a retry can succeed before something else is changed. */
export function canRetryHelp(code: string): boolean {
  return !HOPELESS.has(code);
}

// Nothing else can end a failure with these.
const CREDENTIALS_ALONE = new Set(['credentials_refused', 'credentials_missing']);

/** Whether only other credentials can end a failure with this cause. */
export function needsCredentials(code: string | undefined): boolean {
  return code !== undefined && CREDENTIALS_ALONE.has(code);
}

/** The way to the page where a failure with this cause can be ended. */
export function Remedy({
  type,
  name,
  code,
  only,
  isOnLink = false,
}: {
  type: string;
  name: string;
  code: string;
  /** The only secret that has this cause, as `mount/path`. */
  only?: string | undefined;
  /** The page of this link, which has its own buttons for what is decided there. */
  isOnLink?: boolean;
}) {
  const way = REMEDIES[code];
  if (way === undefined) return null;
  if (way.to === 'credentials' || way.to === 'settings')
    return (
      <Guarded right={{ path: destinationPath(type, name), capability: 'patch' }} label={way.label}>
        <Link
          to="/destinations/$type/$name/settings"
          params={{ type, name }}
          {...(way.to === 'credentials' ? { hash: CREDENTIALS_PART } : {})}
          className={`${kit.button} ${isOnLink && needsCredentials(code) ? kit.primary : ''}`}
        >
          {way.label}
        </Link>
      </Guarded>
    );
  if (only === undefined)
    return (
      <Link
        to="/destinations/$type/$name"
        params={{ type, name }}
        search={{ cause: code }}
        className={kit.button}
      >
        {way.to === 'secret' ? 'See which secrets' : 'Resolve each one'}
      </Link>
    );
  if (way.to === 'secret')
    return (
      <Link to="/secrets/$" params={{ _splat: only }} className={kit.button}>
        {way.label}
      </Link>
    );
  if (isOnLink) return null;
  return (
    <Link
      to="/destinations/$type/$name/secret/$"
      params={{ type, name, _splat: only }}
      className={kit.button}
    >
      {way.label}
    </Link>
  );
}
