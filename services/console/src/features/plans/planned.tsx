import type { PlanAnswer } from '../../../../api/contract/plans.ts';
import type { Call } from '../../api/curl.ts';
import kit from '../../kit/kit.module.css';
import { Notice } from '../../kit/notice.tsx';
import { counted } from '../../kit/text/counted.ts';
import { PlanTable } from './plan-table.tsx';
import { countChanges, countFailing, hasRows, type WholePlan } from './plan.ts';
import { leavingText } from './unlink-text.ts';

/** What a plan changes in a store, in words and as a table. `call`: what was planned. */
export function Planned({
  store,
  of: { plan, isWhole, isAsked },
  call,
}: {
  store: string;
  of: WholePlan;
  call: Call | Call[];
}) {
  const { later, already } = countFailing(plan);
  const leaving = leavingText(plan);
  const ending = isOfSettings(call) ? endingText(plan) : '';
  if (plan.secrets.length === 0) return <p>No secrets are linked, so nothing changes in {store}.</p>;
  return (
    <div className={`${kit.stack} ${kit.tight}`}>
      <p>
        <strong>{headlineOf(plan, store)}</strong>
      </p>
      {leaving ? <p>{leaving}</p> : null}
      {!isAsked && isOfSettings(call) && (plan.totals.update ?? 0) > 0 ? (
        <p>
          What someone has changed in the store since Sealift last looked is not shown for all entries, and is
          overwritten. To see it first, verify the links.
        </p>
      ) : null}
      {ending ? <Notice tone="limited">{ending}</Notice> : null}
      {later + already > 0 ? (
        <Notice tone="limited">
          {later > 0 ? 'What will fail' : 'What fails'} is listed under Problems. These entries get no new
          values until somebody resolves that.
        </Notice>
      ) : null}
      {hasRows(plan) ? (
        <div className={kit.scroll} role="region" aria-label="Preview" tabIndex={0}>
          <PlanTable plan={plan} />
        </div>
      ) : (
        <PlanTable plan={plan} />
      )}
      {isWhole ? null : (
        <Notice tone="limited">
          There are too many links to count. These are the counts of the first ones; the others are treated
          the same way.
        </Notice>
      )}
    </div>
  );
}

function isOfSettings(call: Call | Call[]): boolean {
  return [call].flat().some(({ body }) => typeof body === 'object' && body !== null && 'destination' in body);
}

function headlineOf(plan: PlanAnswer, store: string): string {
  const changes = countChanges(plan);
  const fails = failuresText(plan);
  const isUnchecked = plan.look === null || plan.look.unknown > 0;
  if (changes === 0)
    return `No ${isUnchecked ? 'known ' : ''}changes in ${store}${fails}${fails ? ':' : '.'}`;
  const verb = plan.totals.unknown ? 'may' : 'will';
  return `${counted(changes, 'entry', 'entries')} ${verb} change in ${store}${fails}:`;
}

// What is saved then counts secrets, so their number stands here too where it is another one.
function failuresText(plan: PlanAnswer): string {
  const { later, already, secrets } = countFailing(plan);
  const isOther = secrets !== null && secrets !== later + already;
  const parts = [
    ...(later > 0 ? [`${counted(later, 'entry', 'entries')} will fail`] : []),
    ...(already > 0
      ? [`${counted(already, 'entry', 'entries')} ${already === 1 ? 'fails' : 'fail'} already`]
      : []),
  ];
  const text = parts.map((part, index) => `, ${index === parts.length - 1 ? 'and ' : ''}${part}`).join('');
  return isOther ? `${text} (${counted(secrets, 'secret')})` : text;
}

// What is left to decide, or may be: the store did not tell.
const OPEN = new Set(['conflict', 'unknown']);

// What a change of the settings takes back that people decided.
function endingText({ secrets }: PlanAnswer): string {
  const ending = secrets.filter(({ ends_decision: decision }) => decision);
  const { length } = ending;
  if (length === 0) return '';
  const whose = length === 1 ? 'the entry of 1 link' : `the entries of ${length.toLocaleString('en')} links`;
  const isOpen = ending.some(({ planned }) => planned.some(({ action }) => OPEN.has(action)));
  const again = isOpen ? ': decide again about each conflict afterwards' : '';
  return `What was decided about ${whose} is still to be done. Saving takes that back${again}.`;
}
