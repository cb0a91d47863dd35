import kit from '../../kit/kit.module.css';
import { titleOfCause } from '../../../../../libs/telling/cause-titles.ts';

/** What a cause is as a headline, with the code of the API. */
export function CauseTitle({ code }: { code: string }) {
  return (
    <p>
      <strong>{titleOfCause(code)}</strong> <code className={`${kit.small} ${kit.muted}`}>{code}</code>
    </p>
  );
}
