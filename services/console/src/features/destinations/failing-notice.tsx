import type { ProblemAnswer } from '../../../../api/contract/summary.ts';
import kit from '../../kit/kit.module.css';
import { Notice } from '../../kit/notice.tsx';
import { counted } from '../../kit/text/counted.ts';
import { Lasting } from '../../kit/time.tsx';
import { CauseText, DecidedText } from '../problems/cause-text.tsx';
import { Remedy } from '../problems/remedy.tsx';
import { LastChanged } from './last-changed.tsx';

const MOST_SHOWN = 3;

/** Why links of a destination fail, since when, and what ends it: one notice for each cause. */
export function FailingNotice({ problems }: { problems: ProblemAnswer[] }) {
  return problems
    .slice(0, MOST_SHOWN)
    .map((problem, index) => (
      <Failing
        key={`${problem.sync_status} ${problem.cause?.code} ${problem.scope}`}
        problem={problem}
        isFirst={index === 0}
      />
    ));
}

function Failing({ problem, isFirst }: { problem: ProblemAnswer; isFirst: boolean }) {
  const { store_type: type, store_name: name, cause, count, decided, example } = problem;
  const { since, failing_since: first } = problem;
  // Nothing is left to do about the others.
  const open = count - decided;
  const only = count === 1 ? `${example.mount}/${example.secret_name}` : undefined;
  if (open === 0)
    return (
      <Notice tone="limited">
        <DecidedText links={decided} />
      </Notice>
    );
  return (
    <Notice tone="person">
      <div className={`${kit.stack} ${kit.tight}`}>
        <p>
          {counted(open, 'link')} {problem.sync_status === 'DRIFTED' ? 'drifted' : 'failing'}
          {since ? (
            <>
              {' '}
              for <Lasting since={first ?? since} />
            </>
          ) : null}
          {since && first ? (
            <>
              , with this cause for <Lasting since={since} />
            </>
          ) : null}
        </p>
        <CauseText type={type} cause={cause} links={open} messages={problem.messages} />
        <DecidedText links={decided} />
        {isFirst ? <LastChanged type={type} name={name} /> : null}
        <div className={kit.row}>
          <Remedy type={type} name={name} code={cause?.code ?? ''} only={only} />
        </div>
      </div>
    </Notice>
  );
}
