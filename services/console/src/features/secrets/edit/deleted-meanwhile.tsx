import { useState } from 'react';
import { actorText } from '../../../../../../libs/telling/actor.ts';
import type { SecretMetadataAnswer } from '../../../../../api/contract/secrets.ts';
import type { Call } from '../../../api/curl.ts';
import kit from '../../../kit/kit.module.css';
import { useSeen } from '../../../kit/refusing/seen.ts';
import { Action } from '../../../kit/rights/action.tsx';
import { GuardedButton } from '../../../kit/rights/guarded-button.tsx';
import { ChangeVersion, changeOfVersion } from '../lifecycle/change-version.tsx';
import type { SecretName } from '../split-path.ts';

/**
 * Shown if the newest version was deleted meanwhile, so that nothing can be merged into it: offers to take the deletion
 * back, or to save what was typed without the values that are gone.
 */
export function DeletedMeanwhile({
  secret,
  metadata,
  alone,
  busy,
  save,
}: {
  secret: SecretName;
  metadata: SecretMetadataAnswer;
  /** What was typed as a version of its own; undefined: it has a fault that must be mended first. */
  alone: { call: Call; names: string[] } | undefined;
  busy: boolean;
  save: (call: Call) => void;
}) {
  const { current_version: newest, versions } = metadata;
  const [isUndeleting, setIsUndeleting] = useState(false);
  const place = useSeen<HTMLElement>(newest);
  const isDestroyed = versions[String(newest)]?.destroyed ?? false;
  const names = alone?.names ?? [];
  return (
    <>
      <section ref={place} tabIndex={-1} className={`${kit.notice} ${kit.limited} ${kit.seen}`} role="alert">
        <div className={`${kit.stack} ${kit.tight} ${kit.grow}`}>
          <p>{describe(metadata)} while you were editing. Your changes haven’t been saved yet.</p>
          {names.length > 0 ? (
            <p>
              Without v{newest}, v{newest + 1} will have only what you typed: {names.join(', ')}.
            </p>
          ) : null}
          {alone ? null : <p>Correct what you typed first.</p>}
          <div className={kit.row}>
            {isDestroyed ? null : (
              <GuardedButton
                kind="primary"
                call={changeOfVersion(secret, newest, 'undelete')}
                onClick={() => setIsUndeleting(true)}
              >
                {`Undelete v${newest} and go on…`}
              </GuardedButton>
            )}
            {alone && names.length > 0 ? (
              <Action call={alone.call} secrets={names} busy={busy} onClick={() => save(alone.call)}>
                {`Save only what I typed as v${newest + 1}`}
              </Action>
            ) : null}
          </div>
        </div>
      </section>
      {isUndeleting ? (
        <ChangeVersion
          secret={secret}
          metadata={metadata}
          version={newest}
          act="undelete"
          close={() => setIsUndeleting(false)}
        />
      ) : null}
    </>
  );
}

function describe({ current_version: newest, versions }: SecretMetadataAnswer): string {
  const { destroyed, deleted_by: by } = versions[String(newest)] ?? {};
  return `v${newest} was ${destroyed ? 'destroyed' : `deleted${by ? ` by ${actorText(by.actor)}` : ''}`}`;
}
