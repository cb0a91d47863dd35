import { useQuery } from '@tanstack/react-query';
import type { RecordAnswer } from '../../../../../api/contract/associations.ts';
import { ownSummaryQuery } from '../../../api/summary.ts';
import { actorText } from '../../../../../../libs/telling/actor.ts';
import { deedOfCause } from '../../pauses/deeds.ts';
import { useAttempts } from '../attempts.ts';
import kit from '../../../kit/kit.module.css';
import { Time } from '../../../kit/time.tsx';
import { titleOfCause } from '../../../../../../libs/telling/cause-titles.ts';
import type { SecretName } from '../../secrets/split-path.ts';
import { DriftChoices } from './choices.tsx';
import type { KnownDrift } from './known-drift.ts';
import { isBehind } from '../heading.tsx';
import { Prospect } from './prospect.tsx';

type Linked = { type: string; name: string; secret: SecretName };

/** What is known of changes in the store, and what a person can decide about them. */
export function Drifts({
  records,
  worst,
  ...shown
}: Linked & {
  drift: KnownDrift;
  isCause: boolean;
  isHeld: boolean;
  records: RecordAnswer[];
  worst: RecordAnswer;
}) {
  const { drift } = shown;
  return (
    <>
      <Drift
        {...shown}
        hasOthers={records.length > 1}
        record={records.find((record) => record.drift === drift) ?? worst}
      />
      <OtherDrifts records={records} shown={drift.code} />
    </>
  );
}

function Drift({
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
  const isWanted = decision !== undefined || isBehind(record);
  const isTrying = isWanted && !isCause && !waiting && !unlinking;
  const state = own?.held ? 'paused' : isTrying ? 'trying' : null;
  // What waits and an unlinking say what becomes of it by themselves.
  const isAtRisk = own !== undefined && !isWanted && !waiting && !unlinking;
  return (
    <>
      {isCause ? null : (
        <div className={kit.row}>
          <strong>{titleOfCause(drift.code)}</strong>
          <span className={kit.muted}>
            Found <Time at={drift.since} />
          </span>
        </div>
      )}
      {isWanted || waiting ? null : <LeftAlone {...linked} subKey={subKey} />}
      <Values drift={drift} />
      <Prospect
        {...{ drift, state, isHeld, isAtRisk }}
        isDecided={decision !== undefined}
        isWaiting={waiting?.cause === 'write'}
        subKey={hasOthers ? subKey : ''}
      />
      {unlinking ? null : (
        <DriftChoices
          code={drift.code}
          isForeign={drift.foreign}
          secret={`${secret.mount}/${secret.path}`}
          isReadable={drift.found !== null}
          isWaiting={waiting?.overwrites_drift === true || waiting?.recreates === true}
          state={state}
          isDecided={decision !== undefined}
          isBehind={isBehind(record)}
          isAtRisk={isAtRisk}
          hasOthers={hasOthers}
        />
      )}
    </>
  );
}

// What someone did to other keys, if it is something else than what is `shown`. The keys of a link are written together.
function OtherDrifts({ records, shown }: { records: RecordAnswer[]; shown: string }) {
  if (records.some(({ unlinking }) => unlinking)) return null;
  const isDecided = records.some(({ decision }) => decision);
  const isPaused = records.some(({ waiting }) => waiting);
  const isOnItsWay = isDecided || isPaused || records.some(isBehind);
  return records.map(({ drift, sub_key: key }) => {
    if (!drift || drift.code === shown) return null;
    const deed = drift.code === 'gone_outside' ? 'writes it again' : 'overwrites it';
    const isLeft = drift.foreign && !isDecided;
    return (
      <p key={key}>
        {titleOfCause(drift.code)}: <code>{key}</code>.{' '}
        {isOnItsWay && !isLeft
          ? `Sealift ${deed} ${isPaused ? 'once the pause ends' : 'at the same time'}.`
          : `The next new version of this secret ${isLeft ? 'leaves it alone' : deed}.`}
      </p>
    );
  });
}

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
