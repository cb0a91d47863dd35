import type { PlannedStep, PlanRequest, SecretPlan } from '../../../commands/connector-commands.ts';
import type { RewrittenPlaces } from './look-up.ts';

/** Why an entry is created once more. */
export const GONE = 'someone deleted this entry in the store';
/** Why an entry is overwritten that is ours. */
export const CHANGE_LOST = 'someone changed this entry in the store, and that change would be lost';
/** What becomes of an entry that the ledger does not hold once its secret is unlinked. */
export const ONLY_MARKED = 'if it bears our mark, it is deleted; an entry of someone else stays';

/** One step; `isNew`: the ledger has no entry of that name, so only the store knows whether there is one. */
export type OpenStep = PlannedStep & {
  isNew: boolean;
  /** The fingerprint of the wanted value. */
  print?: string;
  /** The ledger keeps the name for this link, so no other one gets it. */
  hasName?: boolean;
  /** The ledger's row of an entry that the store is asked about. */
  entryId?: number;
  /** What the ledger keeps for the connector about that. */
  reference?: string | null;
  /** Why its value is written, as far as that is due to the value. */
  waiting?: string;
  /** Why it is written whatever somebody has made of it. */
  rewriting?: string;
  /** Where that moves it. */
  places?: RewrittenPlaces;
  /** Somebody is known to have changed it in the store. */
  isChanged?: boolean;
  /** The ledger does not hold the entry: it is deleted only if it bears our mark. */
  isUnsure?: boolean;
  /** It goes even if what replaces it cannot be written. */
  isOvertaken?: boolean;
};

/** What becomes of the entry of a key, if it is not ours. */
export type PolicyFor = (subKey: string) => PlanRequest['destination']['conflictPolicy'];

/** The plan of one secret, before the store was asked. */
export type OpenPlan = Omit<SecretPlan, 'steps'> & {
  steps: OpenStep[];
  /** The association of the fingerprints; 0 if the secret is not linked. */
  associationId: number;
  /** What becomes of entries that are not ours. */
  policyFor: PolicyFor;
  failed?: ReadonlySet<string>;
};

/** Whether the value of an entry of ours is written. */
export function writesValue({ action }: OpenStep): boolean {
  return action === 'update' || action === 'overwrite';
}
