import type { RecordAnswer } from '../../../../../api/contract/associations.ts';
import kit from '../../../kit/kit.module.css';
import type { LinkAttempt } from '../attempts.ts';
import { isUnsure } from '../entries.tsx';
import { mayBeGone } from './last-known.ts';

/** Says that the store may have carried out a deletion that failed, although the link stays. */
export function MayBeGone({ records, attempts }: { records: RecordAnswer[]; attempts: LinkAttempt[] }) {
  const gone = records.filter((record) => !record.unlinking && mayBeGone(attempts, record));
  if (gone.length === 0 || gone.some(({ source_version: version }) => version === null)) return null;
  const [whose, are, them] =
    gone.length === 1 ? ['an entry', 'it may be', 'it'] : ['entries', 'they may be', 'them'];
  return (
    <p className={kit.muted}>
      A call to delete {whose} got no clear answer, so {are} gone. Sealift writes {them} again.
    </p>
  );
}

/** Says what comes after a call that may still take effect: what was done meanwhile is done once more then. */
export function Unsure({ of }: { of: RecordAnswer }) {
  if (!isUnsure(of)) return null;
  return (
    <p className={kit.muted}>
      An earlier call got no clear answer and could still take effect. Once that is over
      {of.sync_status === 'PENDING' && of.cause !== null ? ' and the pause has ended' : ''},{' '}
      {of.unconfirmed === 'write'
        ? 'Sealift writes its value once more, over whatever the entry has then.'
        : 'Sealift makes sure that the entry is gone.'}
    </p>
  );
}

/** Says that the store has what somebody saved, as a comparison has seen. */
export function AlreadyThere({
  of: { waiting, source_version: wanted, synced_version: known },
}: {
  of: RecordAnswer;
}) {
  if (waiting?.cause !== 'write' || waiting.decision !== null || wanted === null || known !== wanted)
    return null;
  return (
    <p className={kit.muted}>
      The store already has the value of v{wanted}. Sealift writes it once more when the pause ends.
    </p>
  );
}
