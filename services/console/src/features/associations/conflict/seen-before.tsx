import { Time } from '../../../kit/time.tsx';
import type { FormerConflict } from '../attempts.ts';

/** What was in the way when an attempt last saw it. */
export function SeenBefore({ at, keys }: FormerConflict) {
  const [are, they] = keys.length > 1 ? ['aren’t', 'They'] : ['isn’t', 'It'];
  return (
    <p>
      When Sealift last looked, <Time at={at} />, the store had {anEntryOf(keys)} that {are} managed by
      Sealift. {they} may be gone or changed by now.
    </p>
  );
}

// The only entry of a secret has no key.
function anEntryOf(keys: string[]): string {
  const [key = '', ...others] = keys;
  if (others.length > 0) return `entries with the names of the keys ${keys.join(', ')}`;
  return key === '' ? 'an entry with this name' : `an entry with the name of key ${key}`;
}
