import kit from '../../kit/kit.module.css';
import { capitalise } from '../../kit/text/capitalise.ts';
import { partsOfMessage } from '../../../../../libs/telling/cause-titles.ts';
import { useLabels } from '../../schema-form/labels.ts';

// A sentence about one entry, as it is said of several.
const OF_SEVERAL: Record<string, string> = {
  changed_outside: 'Someone changed their entries in the store.',
  gone_outside: 'Someone deleted their entries in the store.',
};

// What one link lacks or has in its way need not be what another one does.
const OF_ONE = new Set(['permission_missing', 'blocked']);

/**
 * What a cause says; the id that the store gave to the request has a line of its own. `links`: how many have the cause, where
 * it is said of them together. `type`: that of the destination, whose settings it may name.
 */
export function CauseText({
  type,
  cause,
  links = 1,
  messages = [],
}: {
  type: string | undefined;
  cause: { code: string; message: string } | null;
  links?: number;
  /** All that it says of the first ones, where that is not the same of each. */
  messages?: string[];
}) {
  const labelled = useLabels(type);
  if (!cause) return null;
  const ofSeveral = links > 1 ? OF_SEVERAL[cause.code] : undefined;
  if (ofSeveral) return <p className={kit.muted}>{ofSeveral}</p>;
  const texts = [...new Set(messages.map((message) => labelled(partsOfMessage(message).text)))];
  if (links > 1 && texts.length > 1) return <Texts texts={texts} isOpen={links > LOOKED_AT} />;
  const { text } = partsOfMessage(cause.message);
  return (
    <>
      <p className={kit.muted}>
        {links > 1 && OF_ONE.has(cause.code) ? 'For example: ' : ''}
        {capitalise(labelled(text))}
      </p>
      <RequestId message={cause.message} />
    </>
  );
}

/** By what the store can find the request that a message is about. */
export function RequestId({ message = '' }: { message: string | undefined }) {
  const { id } = partsOfMessage(message);
  return id ? <p className={`${kit.small} ${kit.muted}`}>Request ID of the store: {id}</p> : null;
}

// The summary looks at so many links of a problem.
const LOOKED_AT = 5;
const MOST_TEXTS = 3;

// What the cause says of several links; `isOpen`: it may say more of others.
function Texts({ texts, isOpen }: { texts: string[]; isOpen: boolean }) {
  const more = texts.length - MOST_TEXTS;
  return (
    <div className={kit.muted}>
      <p>{isOpen ? 'For example:' : 'Not the same for each link:'}</p>
      <ul>
        {texts.slice(0, MOST_TEXTS).map((text) => (
          <li key={text}>{capitalise(text)}</li>
        ))}
        {more > 0 ? <li>and {more} more</li> : null}
      </ul>
    </div>
  );
}

/** Says that someone asked to overwrite entries, which is still to be done. `links`: all that the problem has, `standing`: those of them. */
export function StandingText({ standing, links }: { standing: number; links: number }) {
  if (standing === 0) return null;
  const whose =
    links === 1
      ? 'the entry'
      : standing === links
        ? 'their entries'
        : links > LOOKED_AT
          ? 'entries of some of them'
          : `entries of ${standing} of them`;
  return (
    <p className={kit.muted}>Someone asked to overwrite {whose}. Sealift does it when it tries again.</p>
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
