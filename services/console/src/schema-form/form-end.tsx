import type { ReactNode } from 'react';
import { Button } from '../kit/button.tsx';
import { FailureNotice } from '../kit/failure-notice.tsx';
import kit from '../kit/kit.module.css';
import { Notice } from '../kit/notice.tsx';

/** What stands below a form: what concerns it as a whole, and the two ways to end it. */
export function FormEnd({
  failure,
  saved,
  busy,
  isTouched,
  isHeld = false,
  discard,
  children,
}: {
  failure: unknown;
  /** What to say once it is saved; empty before. */
  saved: string;
  busy: boolean;
  isTouched: boolean;
  /** Something has to be decided before it can be saved. */
  isHeld?: boolean;
  discard: () => void;
  /** What else can be done with it. */
  children?: ReactNode;
}) {
  return (
    <>
      {failure ? <FailureNotice failure={failure} /> : null}
      {saved ? <Notice tone="ok">{saved}</Notice> : null}
      <div className={kit.row}>
        <Button kind="primary" type="submit" busy={busy} disabled={!isTouched || isHeld}>
          Save
        </Button>
        <Button disabled={!isTouched} onClick={discard}>
          Discard
        </Button>
        {children}
      </div>
    </>
  );
}
