import type { ReactNode } from 'react';
import type { Call } from '../api/curl.ts';
import { useAttempt } from './attempt.ts';
import { Button } from './button.tsx';
import { CopyCurl } from './copy/copy-curl.tsx';
import { Dialog } from './dialog.tsx';
import { FailureNotice } from './failure-notice.tsx';
import kit from './kit.module.css';

/** A dialog that asks for input, or only for confirmation, and then acts. If the action fails, the input stays. */
export function FormDialog({
  title,
  action,
  isDangerous = false,
  isReady = true,
  carryOut,
  close,
  call,
  children,
}: {
  title: string;
  /** The text of its button. */
  action: string;
  isDangerous?: boolean;
  isReady?: boolean;
  carryOut: () => Promise<void>;
  close: () => void;
  /** The call that the dialog makes, for users who prefer a shell. */
  call?: Call | undefined;
  /** Its fields. As a function, they get the failure, may show a part of it, and return the rest. */
  children: ReactNode | ((failure: unknown) => { body: ReactNode; rest: unknown });
}) {
  const { busy, failure, attempt } = useAttempt();
  const { body, rest } =
    typeof children === 'function' ? children(failure) : { body: children, rest: failure };
  const submit = async (): Promise<void> => {
    if (await attempt(carryOut)) close();
  };
  return (
    <Dialog title={title} close={close}>
      <form
        className={kit.stack}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {body}
        {rest ? <FailureNotice failure={rest} /> : null}
        <div className={kit.row}>
          <Button kind={isDangerous ? 'danger' : 'primary'} type="submit" busy={busy} disabled={!isReady}>
            {action}
          </Button>
          <Button onClick={close}>Cancel</Button>
          {call ? <CopyCurl of={action} call={call} /> : null}
        </div>
      </form>
    </Dialog>
  );
}
