import type { BulkAnswer } from '../../../../api/contract/plans.ts';
import { useLabels } from '../../schema-form/labels.ts';
import kit from '../../kit/kit.module.css';
import { Notice } from '../../kit/notice.tsx';
import { isDone } from './done.ts';
import { useSeen } from '../../kit/refusing/seen.ts';

const WORDS: Record<string, string> = {
  refused: 'was refused',
  unknown: 'may have been linked. Try again',
  not_tried: 'not attempted. Try again',
};

/** Which of the requested secrets are not done, and why, brought to where it can be seen. `done`: what was asked for. */
export function Outcomes({ answer, done = 'linked' }: { answer: BulkAnswer; done?: 'linked' | 'changed' }) {
  const left = answer.secrets.filter((secret) => !isDone(secret));
  const labelled = useLabels(answer.store_type);
  const place = useSeen<HTMLDivElement>(answer);
  return (
    <div ref={place} className={kit.seen}>
      <Notice tone="person">
        <p>
          {answer.secrets.length - left.length} of {answer.secrets.length} {done}.
        </p>
        {left.map(({ mount, secret_name: name, outcome, error }) => (
          <p key={`${mount}/${name}`}>
            <code>
              {mount}/{name}
            </code>{' '}
            {WORDS[outcome] ?? outcome}
            {error ? `: ${labelled(error)}` : '.'}
          </p>
        ))}
      </Notice>
    </div>
  );
}
