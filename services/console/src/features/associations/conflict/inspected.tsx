import { useEffect, useRef } from 'react';
import type { FoundAnswer, PlanAnswer } from '../../../../../api/contract/plans.ts';
import { describeTime } from '../../../kit/time.tsx';
import { keepInSight } from '../../../kit/refusing/in-sight.ts';
import { PlanTable } from '../../plans/plan-table.tsx';

/** What the store has in the way of a link, beside ours, by fingerprint. */
export function Inspected({ plan }: { plan: PlanAnswer }) {
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
