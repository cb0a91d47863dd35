import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { RecordAnswer } from '../../../../api/contract/associations.ts';
import { ownSummaryQuery } from '../../api/summary.ts';
import { useStoreType } from '../../api/vendors.ts';
import { actorText } from '../../../../../libs/telling/actor.ts';
import { deedOfCause } from '../pauses/deeds.ts';
import { useAttempts } from './attempts.ts';
import kit from '../../kit/kit.module.css';
import { Lasting } from '../../kit/time.tsx';
import { titleOfCause } from '../../../../../libs/telling/cause-titles.ts';
import type { SecretName } from '../secrets/split-path.ts';

type Linked = { type: string; name: string; secret: SecretName };

// `paused`: what is asked for is done once a pause ends. `trying`: Sealift tries to overwrite the change by itself.
type State = 'paused' | 'trying' | null;

type KnownDrift = NonNullable<RecordAnswer['drift']>;

/** It is known also while something else is the cause of the status, such as a pause. */
export function driftIn(records: RecordAnswer[], worst: RecordAnswer): KnownDrift | null {
  return worst.drift ?? records.find(({ drift }) => drift !== null)?.drift ?? null;
}

/** What is known of a change in the store, and what a person can decide about it. */
export function Drift({
  drift,
  isCause,
  isHeld,
  record,
  hasOthers,
  ...linked
}: Linked & {
  drift: KnownDrift;
  /** Nothing else is wrong. */
  isCause: boolean;
  isHeld: boolean;
  /** The entry that was changed. */
  record: RecordAnswer;
  /** The link has entries of other keys, which Unlink deletes too. */
  hasOthers: boolean;
}) {
  const { type, name, secret } = linked;
  const { data: own } = useQuery(ownSummaryQuery(type, name));
  const { waiting, unlinking, decision, sub_key: subKey } = record;
  const isWanted = decision !== undefined || record.source_version !== record.synced_version;
  const isTrying = isWanted && !isCause && !isHeld && !waiting && !unlinking;
  const state = own?.held ? 'paused' : isTrying ? 'trying' : null;
  // A pause and an unlinking say what becomes of it by themselves.
  const isAtRisk = own?.held === null && !isWanted && !waiting && !unlinking;
  return (
    <>
      {isCause ? null : (
        <div className={kit.row}>
          <strong>{titleOfCause(drift.code)}</strong>
          <span className={kit.muted}>
            Drifted for <Lasting since={drift.since} />
          </span>
        </div>
      )}
      <LeftAlone {...linked} subKey={subKey} />
      <Values drift={drift} />
      {state === 'trying' ? <p>{TRYING[drift.code]}</p> : null}
      {isAtRisk && drift.code === 'changed_outside' ? <AtRisk subKey={hasOthers ? subKey : ''} /> : null}
      {unlinking ? null : (
        <Choices
          type={type}
          code={drift.code}
          secret={`${secret.mount}/${secret.path}`}
          isReadable={drift.found !== null}
          isWaiting={waiting?.overwrites_drift === true || waiting?.recreates === true}
          state={state}
          isDecided={decision !== undefined}
          isAtRisk={isAtRisk}
          hasOthers={hasOthers}
        />
      )}
    </>
  );
}

/** What someone did to other keys, if it is something else than what is `shown`. */
export function OtherDrifts({ records, shown }: { records: RecordAnswer[]; shown: string | undefined }) {
  if (shown === undefined) return null;
  return records.map(({ drift, sub_key: key }) =>
    drift && drift.code !== shown ? (
      <p key={key}>
        {titleOfCause(drift.code)}: <code>{key}</code>. The next new version of this secret writes it again.
      </p>
    ) : null,
  );
}

// A change is known, and stays only until Sealift has something to write. `subKey`: empty for the only key of a link.
function AtRisk({ subKey }: { subKey: string }) {
  return (
    <p>
      The next new version of this secret overwrites this change
      {subKey ? (
        <>
          , even if it has no new value for key <code>{subKey}</code>
        </>
      ) : null}
      . To put that off, pause the destination.
    </p>
  );
}

const TRYING: Record<string, string> = {
  changed_outside: 'Sealift goes on trying to write its own value, which overwrites what is in the store.',
  gone_outside: 'Sealift goes on trying to write the entry again.',
};

const DONE = new Set(['SYNCED', 'DRIFTED']);
// What looks into the store before it writes.
const LOOKING = new Set(['sync', 'retry', 'overwrite', 'adopt']);

// Somebody asked to replace it, and the last attempt found a change that the question did not show.
function LeftAlone({ subKey, ...linked }: Linked & { subKey: string }) {
  const attempts = useAttempts(linked).data?.pages.flat() ?? [];
  // A comparison tells of changes too, and writes nothing.
  const own = attempts.filter(({ sub_key: key, trigger }) => key === subKey && trigger !== 'verify');
  const [newest] = own;
  if (newest?.trigger === 'withdraw' && newest.outcome === 'DRIFTED')
    return (
      <p>
        {newest.by ? actorText(newest.by) : 'Someone'} withdrew that the entry is{' '}
        {newest.action === 'missing' ? 'written again' : 'overwritten'}, so Sealift left it as it is.
      </p>
    );
  if (newest?.action !== 'changed') return null;
  // A further attempt after a failure is for what was asked before. Others leave what was known before.
  const before = own.findIndex(({ outcome }, index) => index > 0 && DONE.has(outcome));
  const demand = own
    .slice(0, before < 0 ? own.length : before)
    .find(({ trigger }) => LOOKING.has(trigger ?? ''));
  if (!demand) return null;
  return (
    <p>
      {deedOfCause(demand.trigger ?? '')} was asked for{demand.by ? ` by ${actorText(demand.by)}` : ''}.
      Sealift left the entry alone, because someone had changed it since Sealift last looked.
    </p>
  );
}

function Values({ drift: { code, written, found } }: { drift: KnownDrift }) {
  return (
    <p className={kit.muted}>
      {written === null ? (
        'Sealift has tried to write its own value since, and doesn’t know if the store has taken it.'
      ) : (
        <>
          Fingerprint of the value that Sealift wrote: <code>{written}</code>.
        </>
      )}{' '}
      {found !== null ? (
        <>
          {written === null ? 'When last read, the store had' : 'In the store'}: <code>{found}</code>.
        </>
      ) : code === 'changed_outside' ? (
        'The store doesn’t show which value is there now: it may be the same.'
      ) : null}
    </p>
  );
}

// After which change the entry no longer counts as ours: most stores tell an entry from another one of its name.
const UNMARKED: Record<string, string> = {
  'cloud2-kv': 'If the change took Sealift’s mark away, as a new version in Azure Key Vault does',
  'cloud3-sm': 'If the change took Sealift’s mark away',
};
const MADE_AGAIN = 'If somebody deleted it there and made it again';

const LEAVING_KEY =
  'To leave it deleted, remove the key from the secret. (Unlink deletes the entries of the other keys, too.)';

// What a person can decide about what someone did in the store, since no button says what to do for each of them.
function Choices({
  type,
  code,
  secret,
  isReadable,
  isWaiting,
  state,
  isDecided,
  isAtRisk,
  hasOthers,
}: {
  type: string;
  code: string;
  secret: string;
  /** It is undone once a pause ends. */
  isWaiting: boolean;
  /** The store shows its values. */
  isReadable: boolean;
  state: State;
  /** A person asked to overwrite it, which can be withdrawn. */
  isDecided: boolean;
  isAtRisk: boolean;
  hasOthers: boolean;
}) {
  const unmarked = UNMARKED[useStoreType(type)] ?? MADE_AGAIN;
  const first = isDecided ? 'choose Withdraw first, then ' : 'pause this destination first, then ';
  const then = state === 'paused' ? ' once the pause ends' : '';
  const edit = (
    <Link to="/secrets/$" params={{ _splat: secret }}>
      save it in the secret
    </Link>
  );
  if (code === 'gone_outside')
    return (
      <ul className={kit.choices}>
        {isWaiting || isDecided || state === 'trying' ? null : (
          <li>To write the entry again{then}, choose Sync now.</li>
        )}
        <LeaveDeleted {...{ isAtRisk, hasOthers }} />
      </ul>
    );
  if (code !== 'changed_outside') return null;
  return (
    <ul className={kit.choices}>
      {isWaiting ? null : (
        <li>To restore Sealift’s value, choose Sync now: it overwrites what is in the store{then}.</li>
      )}
      <li>
        To keep the store’s value, {state === 'trying' ? first : null}
        {isReadable ? 'copy it from there' : 'ask for it, because the store shows it to nobody,'} and {edit}.
        Then both have the same value. {unmarked}, a conflict may follow: then choose Adopt this entry.
      </li>
      <li>
        Unlink deletes {hasOthers ? 'all entries of this link' : 'the entry'} from the store{then}, together
        with the value that {hasOthers ? 'this one' : 'it'} has now. {unmarked}, the entry stays there.
      </li>
    </ul>
  );
}

function LeaveDeleted({ isAtRisk, hasOthers }: { isAtRisk: boolean; hasOthers: boolean }) {
  return (
    <li>
      {hasOthers ? LEAVING_KEY : 'To leave it deleted, choose Unlink.'}
      {isAtRisk ? ' Otherwise the next new version of the secret writes it again.' : null}
    </li>
  );
}
