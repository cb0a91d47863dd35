import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { FieldAnswer } from '../../../../api/contract/forms.ts';
import { carryOut } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { useAttempt } from '../../kit/attempt.ts';
import kit from '../../kit/kit.module.css';
import { Notice } from '../../kit/notice.tsx';
import { Refusal } from '../../kit/refusing/refusal.tsx';
import { Action } from '../../kit/rights/action.tsx';
import { GuardedButton } from '../../kit/rights/guarded-button.tsx';
import { Time, useNow } from '../../kit/time.tsx';
import { SchemaDialog } from '../../schema-form/schema-dialog.tsx';
import { alertPath } from './queries.ts';

const UNTIL: FieldAnswer = {
  name: 'muted_until',
  title: 'Until',
  format: 'date-time',
  is_required: true,
};

const muteOf = (name: string, until: unknown): Call => ({
  method: 'POST',
  path: alertPath(name),
  body: { muted_until: until },
});

/** Mutes a rule until a time. */
export function MuteButton({ name }: { name: string }) {
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <GuardedButton call={muteOf(name, '')} onClick={() => setIsOpen(true)}>
        Mute…
      </GuardedButton>
      {isOpen ? (
        <SchemaDialog
          title={`Mute the rule ${name}`}
          action="Mute"
          fields={[UNTIL]}
          callOf={({ muted_until: until }) => muteOf(name, until ?? '')}
          carryOut={async ({ muted_until: until }) => {
            if (typeof until !== 'string') throw new Error('Choose when the rule is to send again.');
            await carryOut(muteOf(name, until));
            await queries.invalidateQueries({ queryKey: ['alerts'] });
          }}
          close={() => setIsOpen(false)}
        >
          <p>Nothing is sent until then. What happens meanwhile is sent afterwards, as one message.</p>
        </SchemaDialog>
      ) : null}
    </>
  );
}

/** Says that a rule is muted, and ends that. */
export function MutedNotice({ name, until }: { name: string; until: string }) {
  const queries = useQueryClient();
  const now = useNow();
  const { busy, failure, attempt } = useAttempt();
  if (!(Date.parse(until) > now)) return null;
  const call = muteOf(name, '');
  const unmute = async (): Promise<void> => {
    await carryOut(call);
    await queries.invalidateQueries({ queryKey: ['alerts'] });
  };
  return (
    <>
      <Notice tone="limited">
        <div className={`${kit.row} ${kit.spread}`}>
          <p>
            <strong>This rule is muted.</strong> It sends again <Time at={until} />.
          </p>
          <Action call={call} busy={busy} onClick={() => void attempt(unmute)}>
            Unmute
          </Action>
        </div>
      </Notice>
      <Refusal failure={failure} />
    </>
  );
}
