import type { Call } from '../../../api/curl.ts';
import kit from '../../../kit/kit.module.css';
import { useSeen } from '../../../kit/refusing/seen.ts';
import { Action } from '../../../kit/rights/action.tsx';

/** Shown if the whole secret was deleted meanwhile: offers to save what was typed as a new one. */
export function AbsentSecret({
  alone,
  busy,
  save,
}: {
  /** What was typed as a version of its own; undefined: it has a fault that must be mended first. */
  alone: { call: Call; names: string[] } | undefined;
  busy: boolean;
  save: (call: Call) => void;
}) {
  const place = useSeen<HTMLElement>(true);
  const names = alone?.names ?? [];
  return (
    <section ref={place} tabIndex={-1} className={`${kit.notice} ${kit.limited} ${kit.seen}`} role="alert">
      <div className={`${kit.stack} ${kit.tight} ${kit.grow}`}>
        <p>
          Someone deleted this secret with all its versions while you were editing. Your changes haven’t been
          saved yet.
        </p>
        {alone ? null : <p>Correct what you typed first.</p>}
        {alone && names.length > 0 ? (
          <>
            <p>A new secret at this path will have only what you typed: {names.join(', ')}.</p>
            <div>
              <Action
                kind="primary"
                call={alone.call}
                secrets={names}
                busy={busy}
                onClick={() => save(alone.call)}
              >
                Save as a new secret
              </Action>
            </div>
          </>
        ) : null}
      </div>
    </section>
  );
}
