import type { DriftState, KnownDrift } from './known-drift.ts';

const TRYING: Record<string, string> = {
  changed_outside: 'to write its own value, which overwrites what is in the store.',
  gone_outside: 'to write the entry again.',
};
const LEFT =
  'this entry alone, and a conflict follows, unless the conflict policy of the destination is to adopt or overwrite.';

/** What becomes of a change in the store if nobody does anything about it. `subKey`: empty for the only key of a link. */
export function Prospect({
  drift: { code, foreign: isForeign },
  state,
  isHeld,
  isDecided,
  isWaiting,
  isAtRisk,
  subKey,
}: {
  drift: KnownDrift;
  state: DriftState;
  isHeld: boolean;
  isDecided: boolean;
  /** A new version is written once the pause ends. */
  isWaiting: boolean;
  /** It stays only until Sealift has something to write. */
  isAtRisk: boolean;
  subKey: string;
}) {
  const doing = `Sealift ${isHeld ? 'waits' : 'goes on trying'}`;
  return (
    <>
      {isForeign ? (
        <p>
          What is there now is no longer Sealift’s entry: someone deleted it and made it again, or took
          Sealift’s mark away.
        </p>
      ) : null}
      {state !== 'trying' ? null : isForeign && !isDecided ? (
        <p>{`${doing} to write the new version. It leaves ${LEFT}`}</p>
      ) : (
        <p>{`${doing} ${TRYING[code]}`}</p>
      )}
      {isWaiting && isForeign && !isDecided ? (
        <p>{`Once the pause ends, the new version leaves ${LEFT}`}</p>
      ) : null}
      {!isAtRisk || code !== 'changed_outside' ? null : isForeign ? (
        <p>{`The next new version of this secret leaves ${LEFT}`}</p>
      ) : (
        <AtRisk subKey={subKey} isPaused={state === 'paused'} />
      )}
    </>
  );
}

function AtRisk({ subKey, isPaused }: { subKey: string; isPaused: boolean }) {
  return (
    <p>
      The next new version of this secret overwrites this change{isPaused ? ' once the pause ends' : null}
      {subKey ? (
        <>
          , even if it has no new value for key <code>{subKey}</code>
        </>
      ) : null}
      .{isPaused ? null : ' To put that off, pause the destination.'}
    </p>
  );
}
