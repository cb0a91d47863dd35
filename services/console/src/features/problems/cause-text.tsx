import kit from '../../kit/kit.module.css';
import { partsOfMessage } from '../../../../../libs/telling/cause-titles.ts';

// A sentence about one entry, as it is said of several.
const OF_SEVERAL: Record<string, string> = {
  changed_outside: 'Someone changed their entries in the store.',
  gone_outside: 'Someone deleted their entries in the store.',
};

/**
 * What a cause says; the id that the store gave to the request has a line of its own. `links`: how many have the cause, where
 * it is said of them together.
 */
export function CauseText({
  cause,
  links = 1,
}: {
  cause: { code: string; message: string } | null;
  links?: number;
}) {
  if (!cause) return null;
  const ofSeveral = links > 1 ? OF_SEVERAL[cause.code] : undefined;
  if (ofSeveral) return <p className={kit.muted}>{ofSeveral}</p>;
  const { text, id } = partsOfMessage(cause.message);
  return (
    <>
      <p className={kit.muted}>{text.charAt(0).toUpperCase() + text.slice(1)}</p>
      {id ? <p className={`${kit.small} ${kit.muted}`}>Request ID of the store: {id}</p> : null}
    </>
  );
}
