import { labelOf } from '../../../../../libs/telling/label.ts';
import kit from '../../kit/kit.module.css';

/** The beginning of a list that is too long for the trail. */
type Cut = { told: string[]; more: number };

/** The names of secrets, by what became of each. */
export type GroupedNames = Record<string, string[] | Cut>;

/** The secrets of a request about many, by what became of each; closed at first. */
export function SecretNames({ secrets }: { secrets: GroupedNames }) {
  return (
    <details className={kit.small}>
      <summary>Which secrets</summary>
      {Object.entries(secrets).map(([outcome, list]) => (
        <p key={outcome}>
          {labelOf(outcome)}:{' '}
          {Array.isArray(list) ? list.join(', ') : `${list.told.join(', ')} and ${list.more} more`}
        </p>
      ))}
    </details>
  );
}
