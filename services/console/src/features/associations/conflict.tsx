import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { RecordAnswer } from '../../../../api/contract/associations.ts';
import type { FoundAnswer, PlanAnswer } from '../../../../api/contract/plans.ts';
import { carryOut } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { destinationPath } from '../../api/queries.ts';
import { readOf, rightFor } from '../../api/right.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { describeTime, Time } from '../../kit/time.tsx';
import { keepInSight } from '../../kit/refusing/in-sight.ts';
import { Refusal } from '../../kit/refusing/refusal.tsx';
import kit from '../../kit/kit.module.css';
import { GuardedButton } from '../../kit/rights/guarded-button.tsx';
import { PlanTable } from '../plans/plan-table.tsx';
import { ifUnchanged, ONLY_SEEN, planOf, readPlan, type Decision } from '../plans/plan.ts';
import { PlannedDialog } from '../plans/planned-dialog.tsx';
import { entries } from '../problems/retry-button.tsx';
import type { FormerConflict } from './attempts.ts';
import { Rename } from './rename.tsx';
import type { SecretName } from '../secrets/split-path.ts';

// The API takes so many.
const MOST_EXPECTED = 1000;

type Linked = { type: string; name: string; secret: SecretName };

const VERBS: Record<Decision, string> = { overwrite: 'Overwrite', adopt: 'Adopt' };
const ONE = {
  these: 'this entry',
  all: 'the entry',
  overwrite: 'Sealift’s value replaces what the entry has. From then on Sealift manages the entry.',
  adopt:
    'Sealift manages the entry from then on. If its value differs from Sealift’s, Sealift’s value replaces it.',
  kept: 'The other entry stays as it is.',
  keeping:
    'To keep the other entry as it is, give the link another name, or unlink the secret. If you rename or delete it in the store, choose Sync now afterwards.',
  inspecting:
    'Inspecting reads the entry in the store, says since when it exists and compares fingerprints. It shows no value and writes nothing.',
};
const SEVERAL: typeof ONE = {
  these: 'these entries',
  all: 'the entries',
  overwrite: 'Sealift’s values replace what the entries have. From then on Sealift manages the entries.',
  adopt:
    'Sealift manages the entries from then on. If a value differs from Sealift’s, Sealift’s value replaces it.',
  kept: 'The other entries stay as they are.',
  keeping:
    'To keep the other entries as they are, give the link another name, or unlink the secret. If you rename or delete them in the store, choose Sync now afterwards.',
  inspecting:
    'Inspecting reads the entries in the store, says since when they exist and compares fingerprints. It shows no values and writes nothing.',
};

type ConflictProps = Linked & {
  records: RecordAnswer[];
  /** If the store has not told since whether it is still so. */
  seen: FormerConflict | undefined;
  /** Of several keys, each has an entry in its way. */
  isSeveral: boolean;
};

/** An entry that Sealift doesn't manage has the name of ours: whose it is, how it differs, and what to do with it alone. */
export function Conflict({ records, seen, isSeveral, ...linked }: ConflictProps) {
  const { type, name, secret } = linked;
  const [plan, setPlan] = useState<PlanAnswer | null>(null);
  const [decision, setDecision] = useState<Decision | null>(null);
  const { busy, failure, attempt } = useAttempt();
  const ref = { mount: secret.mount, secret_name: secret.path };
  const decided = decidedIn(records);
  const words = isSeveral ? SEVERAL : ONE;
  const look = planOf(type, name, { secrets: [ref], ...ONLY_SEEN });
  const set = `${destinationPath(type, name)}/associations/set`;
  const rights = [rightFor('POST', set), readOf(secret)];
  return (
    <>
      {seen ? <SeenBefore {...seen} /> : null}
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
            {(['adopt', 'overwrite'] as const).map((one) => (
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
      {plan && !decided ? <Inspected plan={plan} /> : null}
      <p className={kit.muted}>{hintOf(decided, words)}</p>
      {decision ? (
        <Decide
          {...{ ...linked, decision, words, inspected: plan }}
          set={{
            method: 'POST',
            path: set,
            body: { ...ref, conflict_policy: decision, ...ifUnchanged(records[0]) },
            rights,
          }}
          close={() => setDecision(null)}
          decide={() => setPlan(null)}
        />
      ) : null}
    </>
  );
}

function SeenBefore({ at, keys }: FormerConflict) {
  const [are, they] = keys.length > 1 ? ['aren’t', 'They'] : ['isn’t', 'It'];
  return (
    <p>
      When Sealift last looked, <Time at={at} />, the store had {anEntryOf(keys)} that {are} managed by
      Sealift. {they} may be gone or changed by now.
    </p>
  );
}

// The only entry of a secret has no key.
function anEntryOf(keys: string[]): string {
  const [key = '', ...others] = keys;
  if (others.length > 0) return `entries with the names of the keys ${keys.join(', ')}`;
  return key === '' ? 'an entry with this name' : `an entry with the name of key ${key}`;
}

function hintOf(decided: Decision | 'rename' | null, words: typeof ONE): string {
  if (decided === 'rename') return words.kept;
  return decided ? words.keeping : `${words.inspecting} ${words.keeping}`;
}

/** What was decided and is still to be done; it is withdrawn before the entry is inspected or decided about again. */
export function decidedIn(records: RecordAnswer[]): Decision | 'rename' | null {
  if (records.some(({ waiting }) => waiting?.cause === 'rename')) return 'rename';
  const kinds = records.map(({ decision }) => decision?.kind ?? null);
  return kinds.find((kind) => kind !== null && kind !== 'recreate') ?? null;
}

function Inspected({ plan }: { plan: PlanAnswer }) {
  const steps = plan.secrets.flatMap(({ planned }) => planned);
  const answer = useRef<HTMLDivElement>(null);
  // On a phone it comes below what is in sight.
  useEffect(() => {
    if (answer.current) keepInSight(answer.current);
  }, [plan]);
  return (
    <>
      <div ref={answer}>
        <PlanTable plan={plan} />
      </div>
      {steps.map(({ external_name: name, fingerprints: prints, found }) =>
        prints ? (
          <p key={name}>
            <code>{name}</code>: {difference(prints)} Fingerprint of our value: <code>{prints.ours}</code>. In
            the store: <code>{prints.found ?? '–'}</code>. {found ? <Origin found={found} /> : null}
          </p>
        ) : null,
      )}
    </>
  );
}

// What may tell whose the entry is.
function Origin({ found: { created_at: created, changed_at: changed, tags } }: { found: FoundAnswer }) {
  const words = Object.entries(tags);
  return (
    <>
      {created ? `Created ${describeTime(created)}. ` : null}
      {changed && changed !== created ? `Last changed ${describeTime(changed)}. ` : null}
      {words.length > 0 ? (
        <>
          Details in the store: <code>{words.map(([key, value]) => `${key}=${value}`).join(', ')}</code>.
        </>
      ) : null}
    </>
  );
}

function difference({ ours, found }: { ours: string; found: string | null }): string {
  if (found === null) return 'the store doesn’t tell its value.';
  return ours === found ? 'it already has our value.' : 'its value differs from ours.';
}

function Decide({
  type,
  name,
  secret,
  decision,
  words,
  set,
  close,
  decide,
  inspected,
}: Linked & {
  decision: Decision;
  words: typeof ONE;
  set: Call;
  close: () => void;
  /** What the user has seen before. */
  inspected: PlanAnswer | null;
  /** It was asked for, so what was inspected no longer holds. */
  decide: () => void;
}) {
  const queries = useQueryClient();
  const ref = { mount: secret.mount, secret_name: secret.path };
  return (
    <PlannedDialog
      title={`${VERBS[decision]} ${words.all} of ${secret.path}`}
      type={type}
      store={name}
      name={name}
      plan={planOf(type, name, { secrets: [ref], conflict_policy: decision, ...ONLY_SEEN })}
      action={(changes) =>
        `${VERBS[decision]} ${changes === null || changes === 0 ? words.all : entries(changes)}`
      }
      isCareful
      close={close}
      call={set}
      carryOut={async (plan) => {
        await carryOut({ ...set, body: { ...(set.body as object), ...expectedIn(plan, inspected) } });
        decide();
        await queries.invalidateQueries();
      }}
    >
      <p>{words[decision]} The conflict policy of the destination stays as it is.</p>
    </PlannedDialog>
  );
}

// What the entries have that the user has seen: anything else is left as it is.
function expectedIn(...plans: (PlanAnswer | undefined | null)[]): { expected?: Record<string, string> } {
  // The latest that could be read counts.
  const steps = plans.toReversed().flatMap((plan) => plan?.secrets.flatMap(({ planned }) => planned) ?? []);
  const seen = steps.flatMap(({ external_name: name, fingerprints: prints }) =>
    prints?.found ? [[name, prints.found] as const] : [],
  );
  return seen.length > 0 && seen.length <= MOST_EXPECTED ? { expected: Object.fromEntries(seen) } : {};
}
