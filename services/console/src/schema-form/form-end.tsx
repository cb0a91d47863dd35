import type { ReactNode } from 'react';
import type { Call } from '../api/curl.ts';
import { Button } from '../kit/button.tsx';
import { Lacking } from '../kit/form-dialog.tsx';
import kit from '../kit/kit.module.css';
import { Notice } from '../kit/notice.tsx';
import { Refusal } from '../kit/refusing/refusal.tsx';
import { useSeen } from '../kit/refusing/seen.ts';
import { Action } from '../kit/rights/action.tsx';

type OutcomeProps = {
  failure: unknown;
  /** The labels of the fields that the failure marked. */
  wrong?: string[];
  /** What it prevented, as the beginning of a sentence. */
  said?: string | undefined;
  /** What to say after saving; empty before. */
  saved: string;
  /** What is wrong although it is saved; empty or absent: nothing. */
  doubt?: string | undefined;
  /** What the API warned of when it was saved. */
  warnings?: string[];
  /** The result of something else that was tried. */
  news?: ReactNode;
};

/** The end of a form: messages about the form as a whole, and the buttons Save and Discard. */
export function FormEnd({
  failure,
  wrong = [],
  said,
  saved,
  doubt,
  warnings = [],
  news,
  busy,
  isTouched,
  isBlocked = false,
  isDone = false,
  discard,
  call,
  secrets = [],
  children,
}: OutcomeProps & {
  busy: boolean;
  isTouched: boolean;
  /** The user must decide something before saving. */
  isBlocked?: boolean;
  /** Someone else has saved all that the user typed. */
  isDone?: boolean;
  discard: () => void;
  /** The call that Save makes. */
  call: Call;
  /** Names of the secret fields in the body of the call. */
  secrets?: string[];
  /** Other buttons. */
  children?: ReactNode;
}) {
  return (
    <div className={kit.end}>
      <Outcome {...{ failure, wrong, said, saved, doubt, warnings, news }} />
      <div className={`${kit.row} ${kit.bar}`}>
        <Action
          call={call}
          secrets={secrets}
          kind="primary"
          type="submit"
          busy={busy}
          disabled={!isTouched || isBlocked}
        >
          Save
        </Action>
        <Button disabled={!isTouched} onClick={discard}>
          Discard
        </Button>
        {children}
        {isBlocked && !isDone ? <Lacking text="Someone else changed this. Decide above first." /> : null}
      </div>
    </div>
  );
}

function Outcome({
  failure,
  wrong = [],
  said = 'Not saved.',
  saved,
  doubt = '',
  warnings = [],
  news,
}: OutcomeProps) {
  const place = useSeen<HTMLDivElement>(saved || news);
  return (
    <div ref={place} tabIndex={-1} className={`${kit.stack} ${kit.tight} ${kit.seen}`}>
      <Refusal failure={failure} wrong={wrong} said={said} />
      {saved ? <Notice tone={doubt ? 'limited' : 'ok'}>{doubt || saved}</Notice> : null}
      {warnings.map((warning) => (
        <Notice key={warning} tone="limited">
          {warning}
        </Notice>
      ))}
      {news}
    </div>
  );
}
