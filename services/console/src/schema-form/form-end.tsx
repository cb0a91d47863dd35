import type { ReactNode } from 'react';
import { Button } from '../kit/button.tsx';
import { FailureNotice } from '../kit/failure-notice.tsx';
import kit from '../kit/kit.module.css';
import { Notice } from '../kit/notice.tsx';

/** The end of a form: messages about the form as a whole, and the buttons Save and Discard. */
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
  /** What to say after saving; empty before. */
  saved: string;
  busy: boolean;
  isTouched: boolean;
  /** The user must decide something before saving. */
  isHeld?: boolean;
  discard: () => void;
  /** Further actions. */
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
