import { Type, type Static } from 'typebox';
import { groupBy } from '../../../../libs/collections/group-by.ts';
import { reasonOf, RequestError } from '../../../../libs/errors/request-error.ts';
import type { AuditSecret } from '../../../../libs/store/audit/events.ts';
import type { Decision } from '../../../../libs/store/due/trigger.ts';
import { findMount, type Mount } from '../../../../libs/store/secrets/mounts.ts';
import type { BulkAnswer, BulkOutcome } from '../../contract/plans.ts';
import { cleanText, auditNamesOf } from '../../audit/secret-names.ts';
import type { AuditedSecret, ApiRequest } from '../../routing/endpoint.ts';
import { storeOf, type NamedSecret } from './common.ts';

/** Most secrets of one call. If a filter matches more, `next_after` continues. */
export const MOST_SECRETS = 500;
// Secrets that are not reached in this time get the outcome `not_tried`.
const LONGEST_MS = 15_000;

export const secretsSchema = Type.Array(Type.Object({ mount: Type.String(), secret_name: Type.String() }), {
  maxItems: MOST_SECRETS,
  description: `The secrets, at most ${MOST_SECRETS}.`,
});

export const afterSchema = Type.String({
  description: '`next_after` of the previous answer. Empty: start at the beginning.',
});

export type BulkSecret = Static<typeof secretsSchema>[number];

// What became of a secret, as the audit trail names it. Other outcomes change nothing. Only links are refused one by one.
const CHANGES: Partial<Record<BulkOutcome['outcome'], string>> = {
  linked: 'link',
  refreshed: 'link',
  removing: 'unlink',
  refused: 'link',
};

// A refusal repeats names that the caller sent.
const LONGEST_REFUSAL = 300;

/** What a request asked about all its secrets. */
type Asked = { decision?: Decision | undefined; onlyLinked?: boolean | undefined };

type Done = { outcome: BulkOutcome['outcome'] };

/**
 * Calls `act` for each secret, one after the other. A fault of one secret does not stop the others. The outcome of each
 * secret is reported, even if something fails in between.
 */
export async function forEachSecret(
  secrets: BulkSecret[],
  act: (secret: BulkSecret) => Promise<Done>,
): Promise<BulkOutcome[]> {
  const end = performance.now() + LONGEST_MS;
  const outcomes: BulkOutcome[] = [];
  let broken: unknown;
  for (const secret of secrets) {
    if (broken || performance.now() > end) {
      outcomes.push({ ...secret, outcome: 'not_tried', error: null });
      continue;
    }
    try {
      outcomes.push({ ...secret, ...(await act(secret)), error: null });
    } catch (error) {
      const isRefusal = error instanceof RequestError && error.status < 500;
      if (isRefusal) outcomes.push({ ...secret, outcome: 'refused', error: reasonOf(error) });
      // Nothing was done yet, so the caller gets the same error as for a single secret.
      else if (outcomes.length === 0) throw error;
      else {
        broken = error;
        outcomes.push({
          ...secret,
          outcome: 'unknown',
          error: 'a part of the service failed: send this secret again',
        });
      }
    }
  }
  return outcomes;
}

/**
 * The answer of the bulk calls. The audit trail gets the counts and the names, and each secret that was changed or refused
 * has an entry of its own. A request for one secret is about that secret, and needs no second entry.
 */
export async function answerBulk(
  request: ApiRequest,
  outcomes: BulkOutcome[],
  { next, ...demand }: Asked & { next: string | null },
) {
  const { note, noteSecret, noteSecrets } = request;
  const totals: BulkAnswer['totals'] = {};
  for (const { outcome } of outcomes) totals[outcome] = (totals[outcome] ?? 0) + 1;
  const data: BulkAnswer = {
    ...storeOf(request),
    secrets: outcomes,
    totals,
    next_after: next,
  };
  note(totals);
  const named = await nameOutcomes(request, outcomes, demand);
  const [only, ...others] = named;
  if (only && others.length === 0) {
    noteSecret(only.names);
    note({ secret: only.names.secret, ...only.detail });
  } else {
    const groups = [...groupBy(named, ({ outcome }) => outcome)];
    const secrets = groups.map(([outcome, members]) => [
      outcome,
      members.map(({ names: { secret } }) => secret),
    ]);
    if (others.length > 0) note({ secrets: Object.fromEntries(secrets) });
    noteSecrets(withEntries(named));
  }
  return { status: 200, data };
}

/** The secrets of outcomes that changed something or were refused, as the audit trail keeps them. */
export async function auditedSecrets(request: ApiRequest, outcomes: BulkOutcome[]): Promise<AuditedSecret[]> {
  return withEntries(await nameOutcomes(request, outcomes, {}));
}

type NamedOutcome = Pick<BulkOutcome, 'outcome'> & Pick<AuditedSecret, 'detail'> & { names: AuditSecret };

function withEntries(named: NamedOutcome[]): AuditedSecret[] {
  return named.flatMap(({ outcome, names, detail }) => {
    const action = CHANGES[outcome];
    return action === undefined ? [] : [{ ...names, action, detail, isRefused: outcome === 'refused' }];
  });
}

/** Secrets as the audit trail names them, in their order. */
export async function nameSecrets(
  { services, namespace }: ApiRequest,
  secrets: NamedSecret[],
): Promise<AuditSecret[]> {
  const paths = [...new Set(secrets.map(({ mount }) => mount))];
  const mounts = new Map<string, Mount | undefined>();
  for (const path of paths) mounts.set(path, await findMount(services.db, namespace.id, path));
  return secrets.map(({ mount, path }) => auditNamesOf(mounts.get(mount), { mount, path }));
}

async function nameOutcomes(
  request: ApiRequest,
  outcomes: BulkOutcome[],
  { decision, onlyLinked }: Asked,
): Promise<NamedOutcome[]> {
  const named = await nameSecrets(
    request,
    outcomes.map(({ mount, secret_name: path }) => ({ mount: plain(mount), path: plain(path) })),
  );
  return named.map((names, index) => {
    const { outcome, error } = outcomes[index] as BulkOutcome;
    const detail = {
      secret: names.secret,
      ...(decision ? { conflict_policy: decision } : {}),
      ...(onlyLinked ? { only_linked: true } : {}),
      ...(outcome === 'linked' ? { link: 'created' } : {}),
      ...(outcome === 'refused' ? { refusal: cleanText((error ?? '').slice(0, LONGEST_REFUSAL)) } : {}),
    };
    // As the entry of a request for this secret alone.
    return { names, outcome, detail: CHANGES[outcome] === 'link' ? detail : null };
  });
}

// A refused name is as it was sent.
function plain(name: string): string {
  return cleanText(name).split('/').filter(Boolean).join('/');
}
