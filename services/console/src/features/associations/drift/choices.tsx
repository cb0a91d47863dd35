import { Link } from '@tanstack/react-router';
import kit from '../../../kit/kit.module.css';
import type { DriftState } from './known-drift.ts';

const LEAVING_KEY =
  'To leave it deleted, remove the key from the secret. (Unlink deletes the entries of the other keys, too.)';

const WITHDRAW_FIRST = 'choose Withdraw first, then ';
// A new version overwrites it without the decision, too.
const PAUSE_FIRST = 'pause this destination first, then ';

/** What a person can decide about what someone did in the store, since no button says what to do for each of them. */
export function DriftChoices({
  code,
  secret,
  isForeign,
  isReadable,
  isWaiting,
  state,
  isDecided,
  isBehind,
  isAtRisk,
  hasOthers,
}: {
  code: string;
  secret: string;
  /** The entry is no longer Sealift’s. */
  isForeign: boolean;
  /** It is undone once a pause ends. */
  isWaiting: boolean;
  /** The store shows its values. */
  isReadable: boolean;
  state: DriftState;
  /** A person asked to overwrite it, which can be withdrawn. */
  isDecided: boolean;
  /** A new version is to be written. */
  isBehind: boolean;
  isAtRisk: boolean;
  hasOthers: boolean;
}) {
  const first = isDecided && !isBehind ? WITHDRAW_FIRST : PAUSE_FIRST;
  const then = state === 'paused' ? ' once the pause ends' : '';
  if (code === 'gone_outside')
    return (
      <ul className={kit.choices}>
        {isWaiting || isDecided || state === 'trying' ? null : (
          <li>To write the entry again{then}, choose Sync now.</li>
        )}
        <LeaveDeleted {...{ isAtRisk, hasOthers }} when={then} />
      </ul>
    );
  if (code !== 'changed_outside') return null;
  // A new version alone does not overwrite the entry of somebody else.
  const isSafe = state !== 'trying' || (isForeign && !isDecided);
  return (
    <ul className={kit.choices}>
      {isWaiting ? null : (
        <li>To restore Sealift’s value, choose Sync now: it overwrites what is in the store{then}.</li>
      )}
      <li>
        To keep the store’s value, {isSafe ? null : first}
        {isReadable ? 'copy it from there' : 'ask for it, because the store shows it to nobody,'} and{' '}
        <SaveIt secret={secret} />.{' '}
        {isForeign ? 'A conflict follows: then choose Adopt this entry.' : 'Then both have the same value.'}
      </li>
      <li>{unlinkingText({ isForeign, hasOthers, when: then })}</li>
    </ul>
  );
}

function SaveIt({ secret }: { secret: string }) {
  return (
    <Link to="/secrets/$" params={{ _splat: secret }}>
      save it in the secret
    </Link>
  );
}

function unlinkingText({
  isForeign,
  hasOthers,
  when,
}: {
  isForeign: boolean;
  hasOthers: boolean;
  when: string;
}): string {
  if (isForeign)
    return hasOthers
      ? `Unlink deletes the other entries of this link from the store${when}, and leaves this one there.`
      : 'Unlink leaves the entry in the store.';
  const [entries, one] = hasOthers ? ['all entries of this link', 'this one'] : ['the entry', 'it'];
  return `Unlink deletes ${entries} from the store${when}, together with the value that ${one} has now.`;
}

type Leaving = { isAtRisk: boolean; hasOthers: boolean; when: string };

function LeaveDeleted({ isAtRisk, hasOthers, when }: Leaving) {
  return (
    <li>
      {hasOthers ? LEAVING_KEY : 'To leave it deleted, choose Unlink.'}
      {isAtRisk ? ` Otherwise the next new version of the secret writes it again${when}.` : null}
    </li>
  );
}
