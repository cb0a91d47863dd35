import type { PlanRequest, PlanResult, SecretPlan } from '../../../../libs/commands/connector-commands.ts';
import { addUnchecked } from '../../../../libs/telling/planned.ts';
import type { Mount } from '../../../../libs/store/secrets/mounts.ts';
import type { LookAnswer, PlanStepAnswer } from '../../contract/plans.ts';
import type { ApiRequest } from '../../routing/endpoint.ts';
import { PRINT_LENGTH } from '../../presenters/association.ts';
import { describeHolder, noLiveVersion } from '../associations/source.ts';
import type { Draft, PlannedDestination } from '../destinations/draft.ts';
import { joinRenames } from './join-renames.ts';

/** A secret to plan. */
export type WantedSecret = { mount: Mount; path: string; template?: string | undefined };

/** What to plan, and whether the worker asks the store too. */
export type WantedPlan = {
  type: string;
  destination: PlannedDestination;
  /** What a person decides about the entries of some keys alone. */
  decided?: PlanRequest['decided'];
  draft: Draft | undefined;
  unlink: boolean;
  look: boolean;
  /** A person syncs, retries or unlinks the secrets. */
  compares: boolean;
  /** What people decided before about entries that are not ours counts; `pending`: unless it waits for a pause to end. */
  keepsDecisions: boolean | 'pending';
  /** A secret that is being unlinked stays so. */
  keepsUnlinking: boolean;
  /** What somebody has changed in the store since anybody looked is left. */
  onlySeen: boolean;
};

/** The plan of one secret; `fault`: why there is none. */
export type AnsweredPlan = {
  version: number | null;
  isFallback: boolean;
  steps: PlanStepAnswer[];
  fault: string | null;
  /** The secret is linked already, so nothing refuses that. */
  isLinked: boolean;
  /** What was decided about its entries and is still to be done. */
  standing?: 'overwrite' | 'adopt' | undefined;
};

/** Asks a worker for the plans of some secrets, in their order, and what the store said. Throws 503 without a worker. */
export async function askForPlans(
  request: ApiRequest,
  wanted: WantedPlan,
  secrets: WantedSecret[],
): Promise<{ plans: AnsweredPlan[]; look: LookAnswer | null }> {
  const plans: AnsweredPlan[] = [];
  let look: LookAnswer | null = wanted.look ? { entries: 0, unknown: 0, cause: null, causes: [] } : null;
  while (plans.length < secrets.length) {
    const rest = secrets.slice(plans.length);
    const result = await request.services.commands.call(
      `connector.${wanted.type}`,
      'plan',
      planCommand(request, wanted, rest, look && look.entries),
    );
    look = look && add(look, result.look);
    plans.push(...result.secrets.map((plan, index) => present(request, plan, rest[index])));
  }
  return { plans, look };
}

function planCommand(
  { namespace }: ApiRequest,
  { destination, decided, draft, unlink, compares, keepsDecisions, keepsUnlinking, onlySeen }: WantedPlan,
  secrets: WantedSecret[],
  looked: number | null,
): PlanRequest {
  const { document } = draft ?? {};
  return {
    destination: {
      id: destination.id,
      name: destination.name,
      container: destination.container,
      isMoved: destination.isMoved,
      template: destination.secret_name_template,
      granularity: destination.granularity,
      customTags: destination.custom_tags,
      conflictPolicy: destination.conflict_policy,
      deletionPolicy: destination.deletion_policy,
      onLatestDeleted: destination.on_latest_deleted,
    },
    ...(decided ? { decided } : {}),
    ...(document ? { settings: { ...document.settings, ...document.secrets } } : {}),
    namespace: { id: namespace.id, path: namespace.path },
    secrets: secrets.map(({ mount: { id, path, accessor }, path: secret, template }) => ({
      mount: { id, path, accessor },
      path: secret,
      ...(template === undefined ? {} : { template }),
    })),
    unlink,
    compares,
    leavesDrift: draft !== undefined,
    keepsDecisions: keepsDecisions === true,
    keepsPending: keepsDecisions === 'pending',
    keepsUnlinking,
    onlySeen,
    looked,
  };
}

function add(sum: LookAnswer, more: PlanResult['look']): LookAnswer {
  if (!more) return sum;
  return {
    entries: sum.entries + more.entries,
    unknown: sum.unknown + more.unknown,
    cause: sum.cause ?? more.cause,
    causes: addUnchecked([...sum.causes, ...(more.causes ?? [])]),
  };
}

function present(request: ApiRequest, plan: SecretPlan, secret: WantedSecret | undefined): AnsweredPlan {
  const { version, isFallback, isLinked = true, standing } = plan;
  const steps = plan.steps.map(
    ({
      subKey,
      externalName,
      action,
      reason,
      holder,
      prints,
      about,
      removedFrom,
      renaming,
      mayLose,
      failsAlready: fails,
      unchecked,
    }) => ({
      sub_key: subKey,
      external_name: externalName,
      action,
      reason: holder ? describeHolder(request, holder) : reason,
      ...(prints
        ? { fingerprints: { ours: begin(prints.ours), found: prints.found && begin(prints.found) } }
        : {}),
      ...(removedFrom ? { removed_from: removedFrom } : {}),
      ...(renaming ? { renaming } : {}),
      ...(fails ? { fails_already: true as const } : {}),
      ...(mayLose ? { may_lose: true as const } : {}),
      ...(unchecked ? { unchecked: true as const } : {}),
      ...(about
        ? { found: { created_at: about.createdAt, changed_at: about.changedAt, tags: about.tags } }
        : {}),
    }),
  );
  const fault = secret ? faultOf(plan, secret) : null;
  return { version, isFallback, steps: joinRenames(steps), fault, isLinked, standing };
}

function begin(print: string): string {
  return print.slice(0, PRINT_LENGTH);
}

function faultOf({ fault }: SecretPlan, { mount, path }: WantedSecret): string | null {
  switch (fault) {
    case null:
      return null;
    case 'no_live_version':
      return noLiveVersion(mount, path);
    case 'too_many_entries':
      return `the secret ${path} in mount ${mount.path}/ has too many entries for a plan`;
  }
}
