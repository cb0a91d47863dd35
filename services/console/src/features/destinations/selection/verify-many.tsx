import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../../api/client.ts';
import { useAttempt } from '../../../kit/attempt.ts';
import { Refusal } from '../../../kit/refusing/refusal.tsx';
import { Notice } from '../../../kit/notice.tsx';
import { GuardedButton } from '../../../kit/rights/guarded-button.tsx';
import { counted } from '../../../kit/text/counted.ts';
import type { SecretRef } from '../../plans/plan.ts';

type Verified = { entries: { state: string }[] };

/** Asks the store about each of these links, one after the other, and counts what it says. */
export function VerifyMany({ path, secrets }: { path: string; secrets: SecretRef[] }) {
  const queries = useQueryClient();
  const [done, setDone] = useState(0);
  const [states, setStates] = useState<string[] | null>(null);
  const { busy, failure, attempt } = useAttempt();
  const verify = () =>
    attempt(async () => {
      const found: string[] = [];
      setStates(null);
      setDone(0);
      for (const secret of secrets) {
        const { entries } = await ask<Verified>({ method: 'POST', path, body: secret });
        found.push(...entries.map(({ state }) => state));
        setDone((before) => before + 1);
      }
      setStates(found);
      await queries.invalidateQueries();
    });
  const good = states?.filter((state) => state === 'in_sync').length ?? 0;
  return (
    <>
      <GuardedButton call={{ method: 'POST', path }} busy={busy} onClick={() => void verify()}>
        {busy ? `Verifying ${done} of ${secrets.length}…` : 'Verify selected'}
      </GuardedButton>
      <Refusal failure={failure} />
      {states ? (
        <Notice tone={good === states.length ? 'ok' : 'limited'}>
          {`${good} of ${counted(states.length, 'entry', 'entries')} match.`}
        </Notice>
      ) : null}
    </>
  );
}
