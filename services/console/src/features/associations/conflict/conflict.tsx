import { useState } from 'react';
import type { RecordAnswer } from '../../../../../api/contract/associations.ts';
import type { PlanAnswer } from '../../../../../api/contract/plans.ts';
import { destinationPath } from '../../../api/queries.ts';
import { readOf, rightFor } from '../../../api/right.ts';
import { useAttempt } from '../../../kit/attempt.ts';
import { Refusal } from '../../../kit/refusing/refusal.tsx';
import kit from '../../../kit/kit.module.css';
import { GuardedButton } from '../../../kit/rights/guarded-button.tsx';
import { ifUnchanged, ONLY_SEEN, planOf, readPlan, type Decision } from '../../plans/plan.ts';
import type { FormerConflict } from '../attempts.ts';
import { Rename } from '../rename.tsx';
import type { SecretName } from '../../secrets/split-path.ts';
import { ChosenKeys } from './chosen-keys.tsx';
import { Decide } from './decide.tsx';
import { decidedIn } from './decided.ts';
import { Inspected } from './inspected.tsx';
import { ReplacedEntries } from './replaced-entries.tsx';
import { SeenBefore } from './seen-before.tsx';
import { hintOf, VERBS, wordsFor } from './words.ts';

type Linked = { type: string; name: string; secret: SecretName };

type ConflictProps = Linked & {
  records: RecordAnswer[];
  /** If the store has not told since whether it is still so. */
  seen: FormerConflict | undefined;
  /** The keys whose entries are in the way; the only entry of a secret has no key. */
  keys: string[];
};

/** An entry that Sealift doesn't manage has the name of ours: whose it is, how it differs, and what to do with it alone. */
export function Conflict({ records, seen, keys, ...linked }: ConflictProps) {
  const { type, name, secret } = linked;
  const [plan, setPlan] = useState<PlanAnswer | null>(null);
  const [decision, setDecision] = useState<Decision | null>(null);
  const { busy, failure, attempt } = useAttempt();
  const ref = { mount: secret.mount, secret_name: secret.path };
  const decided = decidedIn(records);
  // What comes into the way meanwhile is chosen too.
  const [spared, setSpared] = useState<ReadonlySet<string>>(new Set());
  const chosen = keys.length > 1 ? keys.filter((key) => !spared.has(key)) : keys;
  const words = wordsFor(chosen.length);
  const look = planOf(type, name, { secrets: [ref], ...ONLY_SEEN });
  const set = `${destinationPath(type, name)}/associations/set`;
  const rights = [rightFor('POST', set), readOf(secret)];
  return (
    <>
      {seen ? <SeenBefore {...seen} /> : null}
      {decided ? null : <ReplacedEntries {...{ ...linked, records, keys }} />}
      <div className={kit.row}>
        {decided ? null : (
          <>
            <GuardedButton
              call={look}
              kind="primary"
              busy={busy}
              onClick={() => void attempt(async () => setPlan(await readPlan(look)))}
            >
              Inspect conflict
            </GuardedButton>
            {(chosen.length > 0 ? (['adopt', 'overwrite'] as const) : []).map((one) => (
              <GuardedButton
                key={one}
                call={{ method: 'POST', path: set, rights }}
                kind="danger"
                onClick={() => setDecision(one)}
              >
                {`${VERBS[one]} ${words.these}…`}
              </GuardedButton>
            ))}
          </>
        )}
        <Rename {...linked} records={records} />
      </div>
      <Refusal failure={failure} />
      {decided || keys.length < 2 ? null : <ChosenKeys {...{ keys, spared }} spare={setSpared} />}
      {plan && !decided ? <Inspected plan={plan} /> : null}
      <p className={kit.muted}>{hintOf(decided, words)}</p>
      {decision ? (
        <Decide
          {...{ ...linked, decision, words, inspected: plan }}
          keys={chosen.filter(Boolean)}
          body={{ ...ref, ...ifUnchanged(records[0]) }}
          set={{ method: 'POST', path: set, rights }}
          close={() => setDecision(null)}
          decide={() => setPlan(null)}
        />
      ) : null}
    </>
  );
}
