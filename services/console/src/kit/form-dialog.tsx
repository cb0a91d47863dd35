import { useState, type ComponentProps, type ReactNode } from 'react';
import type { Call } from '../api/curl.ts';
import { ApiFailure, type Problem } from '../api/failure.ts';
import { useAttempt } from './attempt.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import kit from './kit.module.css';
import { Cancel } from './leaving/cancel.tsx';
import { Refusal } from './refusing/refusal.tsx';
import { Action } from './rights/action.tsx';
import { faultsOfTypedToken, partTokenFault, TokenField, TOKEN_TITLE } from './rights/with-token.tsx';
import { useWrongField } from './refusing/wrong-field.ts';

type CallProps = {
  /** The call that the dialog makes, or several one after the other; null if it makes none. */
  call: Call | Call[] | null;
  /** Names of the secret fields in the body of the call. */
  secrets?: string[];
  /** The API allows the call to this user without a policy, so no right is checked. */
  isAllowed?: boolean;
};

type Props = CallProps & {
  title: string;
  /** The text of its button. */
  action: string;
  /** The same while it runs; absent: the text stays. */
  running?: string | undefined;
  isDangerous?: boolean;
  isReady?: boolean;
  /** What is still to be typed, said beside the button, which is locked until then; empty: nothing. */
  lacks?: string;
  /** The call is made with a token that the user enters, and not with the session. */
  needsToken?: boolean;
  /** Whether to ask the user first, for something that came up meanwhile; `notice`: that question, until it is answered. */
  meanwhile?: { isOvertaken: () => Promise<boolean>; notice: ReactNode };
  /** Faults for which no call is needed. */
  findFaults?: () => Problem[];
  /** Gets that token; otherwise an empty text. */
  carryOut: (token: string) => Promise<void>;
  close: () => void;
  /**
   * Its fields. As a function, they get the failure, may show a part of it at fields whose labels are in `wrong`, and
   * return the rest.
   */
  children: ReactNode | ((failure: unknown) => Body);
};

/** A dialog that asks for input, or only for confirmation, and then acts. If the action fails, the input stays. */
export function FormDialog({
  title,
  action,
  running = action,
  isDangerous = false,
  isReady = true,
  lacks = '',
  needsToken = false,
  meanwhile,
  findFaults = () => [],
  carryOut,
  close,
  children,
  ...callProps
}: Props) {
  const [token, setToken] = useState('');
  const { busy, failure, attempt, forget } = useAttempt();
  const { ofToken, others } = partTokenFault(failure);
  const form = useWrongField<HTMLFormElement>(failure);
  const { body, rest, wrong = [] } = bodyOf(children, others);
  const submit = async (): Promise<void> => {
    let isAsking = false;
    const isDone = await attempt(async () => {
      const problems = [...findFaults(), ...(needsToken ? faultsOfTypedToken(token) : [])];
      if (problems.length > 0) throw new ApiFailure({ status: 400, problems });
      isAsking = (await meanwhile?.isOvertaken()) ?? false;
      if (!isAsking) await carryOut(token);
    });
    if (isDone && !isAsking) close();
  };
  return (
    <Dialog title={title} close={close}>
      <form
        ref={form}
        className={kit.form}
        noValidate
        onChange={forget}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {body}
        {needsToken ? <TokenField token={token} fault={ofToken} set={setToken} /> : null}
        {meanwhile?.notice}
        <Refusal
          failure={rest}
          wrong={[...wrong, ...(ofToken === null ? [] : [TOKEN_TITLE])]}
          said="Not done."
        />
        <Actions
          {...callProps}
          {...{ busy, lacks, isDangerous }}
          isReady={isReady && !meanwhile?.notice}
          text={busy ? running : action}
        />
      </form>
    </Dialog>
  );
}

type Body = { body: ReactNode; rest: unknown; wrong?: string[] };

function bodyOf(children: Props['children'], failure: unknown): Body {
  return typeof children === 'function' ? children(failure) : { body: children, rest: failure };
}

/** Beside a locked button: what is still to be typed. */
export function Lacking({ text }: { text: string }) {
  return (
    <p role="status" className={`${kit.small} ${kit.grow}`}>
      {text}
    </p>
  );
}

type ActionProps = CallProps & {
  text: string;
  busy: boolean;
  isDangerous: boolean;
  isReady: boolean;
  lacks: string;
};

function Actions({ text, lacks, isDangerous, isReady, ...submit }: ActionProps) {
  return (
    <div className={`${kit.row} ${kit.actions}`}>
      <Submit {...submit} kind={isDangerous ? 'danger' : 'primary'} disabled={!isReady || lacks !== ''}>
        {text}
      </Submit>
      <Cancel />
      <Lacking text={lacks} />
    </div>
  );
}

function Submit({ call, secrets, isAllowed, ...button }: ComponentProps<typeof Button> & CallProps) {
  if (!call) return <Button {...button} type="submit" />;
  return <Action {...button} type="submit" call={call} secrets={secrets} isAllowed={isAllowed} />;
}
