import kit from '../../kit/kit.module.css';
import { partsOfMessage } from '../../../../../libs/telling/cause-titles.ts';

// A sentence about one entry, as it is said of several.
const OF_SEVERAL: Record<string, string> = {
  changed_outside: 'Someone changed their entries in the store.',
  gone_outside: 'Someone deleted their entries in the store.',
};

// What one link lacks or has in its way need not be what another one does.
const OF_ONE = new Set(['permission_missing', 'blocked']);

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
      <p className={kit.muted}>
        {links > 1 && OF_ONE.has(cause.code) ? 'For example: ' : ''}
        {text.charAt(0).toUpperCase() + text.slice(1)}
      </p>
      {id ? <p className={`${kit.small} ${kit.muted}`}>Request ID of the store: {id}</p> : null}
    </>
  );
}

/** Says of how many links it is decided what becomes of their entries; it waits for a pause to end. */
export function DecidedText({ links }: { links: number }) {
  if (links === 0) return null;
  return (
    <p className={kit.muted}>
      {links === 1
        ? 'What becomes of the entry of 1 link is decided'
        : `What becomes of the entries of ${links.toLocaleString('en')} links is decided`}
      . It is carried out once the pause ends.
    </p>
  );
}
