import type { LimitsAnswer } from '../../../../../api/contract/secrets.ts';
import { ApiFailure } from '../../../api/failure.ts';
import kit from '../../../kit/kit.module.css';
import { LabelledLine } from '../../../kit/text/labelled-line.tsx';

/** What applies in a mount without limits of its own. */
export const BY_DEFAULT = { most: '10', after: 'never' };

/** The limits as the API calls them in a refusal. */
export const LIMITS = [
  { name: 'max_versions', title: 'Maximum versions' },
  { name: 'delete_version_after', title: 'Delete versions after' },
];

/** All that is typed of limits, as a change of somebody else is shown beside it. */
export const TYPED_LIMITS = [...LIMITS, { name: 'cas_required', title: 'Check-and-set required' }];

/** The same by the names of the API. */
export function valuesOfLimits({ most, after, cas }: TypedLimits): Record<string, unknown> {
  return { max_versions: most, delete_version_after: after, cas_required: cas };
}

// As the API reads it.
const DURATION = /^$|^[+-]?(?:\d+|(?:\d+(?:\.\d+)?(?:ns|us|ms|d|h|m|s))+)$/;

/** Limits as they are typed. */
export type TypedLimits = { most: string; cas: boolean; after: string };

/** Limits as the API shows them, to be changed. */
export function typedLimits(limits: LimitsAnswer): TypedLimits {
  return {
    most: limits.max_versions === 0 ? '' : String(limits.max_versions),
    cas: limits.cas_required,
    after: limits.delete_version_after === '0s' ? '' : shortDuration(limits.delete_version_after),
  };
}

// The API says 720h0m0s for 30d.
function shortDuration(text: string): string {
  const hours = Number(/^(\d+)h0m0s$/.exec(text)?.[1] ?? 0);
  if (hours === 0) return text.replace(/(?<=[hm])0[ms]/g, '');
  return hours % 24 === 0 ? `${hours / 24}d` : `${hours}h`;
}

/** What the API is sent for the limits that were changed. */
export function changedLimits(before: TypedLimits, now: TypedLimits): Record<string, unknown> {
  const [most, after] = [now.most.trim(), now.after.trim()];
  return {
    ...(now.most === before.most ? {} : { max_versions: /^\d{1,9}$/.test(most) ? Number(most) : most || 0 }),
    ...(now.cas === before.cas ? {} : { cas_required: now.cas }),
    ...(now.after === before.after ? {} : { delete_version_after: after || '0s' }),
  };
}

/** Throws for all limits that cannot be meant, before a request that would stand in the audit trail as refused. */
export function checkLimits({ most, after }: TypedLimits): void {
  const problems = [
    ...(/^\d*$/.test(most.trim()) ? [] : [{ field: 'max_versions', detail: 'Enter a whole number.' }]),
    ...(DURATION.test(after.trim())
      ? []
      : [{ field: 'delete_version_after', detail: 'Enter a duration such as 30d or 12h.' }]),
  ];
  if (problems.length > 0) throw new ApiFailure({ status: 400, problems });
}

/** `inherited`: what applies where a limit is left empty. */
export function LimitFields({
  typed,
  change,
  inherited,
  faults = {},
}: {
  typed: TypedLimits;
  change: (typed: TypedLimits) => void;
  inherited: { most: string; after: string };
  /** By the names of `LIMITS`. */
  faults?: Record<string, string>;
}) {
  return (
    <>
      <LabelledLine
        label="Maximum versions"
        note="When a version is added, the oldest ones beyond this number are deleted for good."
        fault={faults['max_versions']}
        inputMode="numeric"
        value={typed.most}
        placeholder={inherited.most}
        change={(most) => change({ ...typed, most })}
      />
      <LabelledLine
        label="Delete versions after"
        note="A duration such as 30d or 12h. Applies to versions written from now on. They can be undeleted."
        fault={faults['delete_version_after']}
        value={typed.after}
        placeholder={inherited.after}
        change={(after) => change({ ...typed, after })}
      />
      <div className={kit.field}>
        <label className={kit.check}>
          <input
            type="checkbox"
            checked={typed.cas}
            onChange={(event) => change({ ...typed, cas: event.target.checked })}
          />
          <span className={kit.label}>Check-and-set required</span>
        </label>
        <span className={`${kit.small} ${kit.muted}`}>
          Each write must name the current version, so nobody overwrites a change that they haven’t seen.
        </span>
      </div>
    </>
  );
}
