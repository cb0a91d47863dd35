import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../../api/client.ts';
import { useAttempt } from '../../../kit/attempt.ts';
import { Refusal } from '../../../kit/refusing/refusal.tsx';
import kit from '../../../kit/kit.module.css';
import { Notice } from '../../../kit/notice.tsx';
import { GuardedButton } from '../../../kit/rights/guarded-button.tsx';
import { countVerified, toneOf } from './verified.ts';
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
  return (
    <>
      <GuardedButton
        call={{ method: 'POST', path }}
        busy={busy}
        {...(busy ? {} : { 'aria-label': 'Verify selected' })}
        onClick={() => void verify()}
      >
        {busy ? `Verifying ${done} of ${secrets.length}…` : 'Verify'}
        {busy ? null : <span className={kit.roomy}> selected</span>}
      </GuardedButton>
      <Refusal failure={failure} />
      {states ? (
        <Notice tone={toneOf(states)}>
          {states.length === 0 ? <p>There are no entries to verify.</p> : null}
          {countVerified(states).map((text) => (
            <p key={text}>{text}</p>
          ))}
        </Notice>
      ) : null}
    </>
  );
}
