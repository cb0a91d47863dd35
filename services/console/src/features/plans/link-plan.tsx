import kit from '../../kit/kit.module.css';
import { useSeen } from '../../kit/refusing/seen.ts';
import { PlanTable } from './plan-table.tsx';
import type { WholePlan } from './plan.ts';

/** What linking would do, brought to where it can be seen, because the button that links may hide it. */
export function LinkPlan({ whole }: { whole: WholePlan }) {
  const place = useSeen<HTMLElement>(whole, 'start');
  return (
    <section
      ref={place}
      tabIndex={-1}
      aria-label="Preview"
      className={`${kit.stack} ${kit.tight} ${kit.seen}`}
    >
      <PlanTable plan={whole.plan} isLinking />
    </section>
  );
}
