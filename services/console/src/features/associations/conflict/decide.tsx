import { useQueryClient } from '@tanstack/react-query';
import type { PlanAnswer } from '../../../../../api/contract/plans.ts';
import { carryOut } from '../../../api/client.ts';
import type { Call } from '../../../api/curl.ts';
import { ONLY_SEEN, planOf, type Decision } from '../../plans/plan.ts';
import { PlannedDialog } from '../../plans/planned-dialog.tsx';
import { entries } from '../../problems/retry-button.tsx';
import type { SecretName } from '../../secrets/split-path.ts';
import { namedKeys, VERBS, type ConflictWords } from './words.ts';

// The API takes so many entries, and so many keys.
const MOST_NAMED = 1000;

/** The question before entries of somebody else are adopted or overwritten. */
export function Decide({
  type,
  name,
  secret,
  decision,
  keys,
  words,
  set,
  body,
  close,
  decide,
  inspected,
}: {
  type: string;
  name: string;
  secret: SecretName;
  decision: Decision;
  /** Those that it is about; none: the secret has one entry. */
  keys: string[];
  words: ConflictWords;
  set: Omit<Call, 'body'>;
  body: object;
  close: () => void;
  /** What the user has seen before. */
  inspected: PlanAnswer | null;
  /** It was asked for, so what was inspected no longer holds. */
  decide: () => void;
}) {
  const queries = useQueryClient();
  const ref = { mount: secret.mount, secret_name: secret.path };
  const decided = {
    conflict_policy: decision,
    ...(keys.length > 0 && keys.length <= MOST_NAMED ? { keys } : {}),
  };
  const call = { ...set, body: { ...body, ...decided } };
  return (
    <PlannedDialog
      title={`${VERBS[decision]} ${words.all} of ${secret.path}`}
      type={type}
      store={name}
      name={name}
      plan={planOf(type, name, { secrets: [ref], ...decided, ...ONLY_SEEN })}
      action={(changes) =>
        `${VERBS[decision]} ${changes === null || changes === 0 ? words.all : entries(changes)}`
      }
      isCareful
      close={close}
      call={call}
      carryOut={async (plan) => {
        await carryOut({ ...call, body: { ...call.body, ...expectedIn(plan, inspected) } });
        decide();
        await queries.invalidateQueries();
      }}
    >
      {keys.length > 0 ? <p>This is about {namedKeys(keys)} alone.</p> : null}
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
  return seen.length > 0 && seen.length <= MOST_NAMED ? { expected: Object.fromEntries(seen) } : {};
}
