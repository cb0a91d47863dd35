import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useDestinationName } from '../../api/vendors.ts';
import { StoreLink } from './store-link.tsx';
import kit from '../../kit/kit.module.css';
import { schemasQuery } from '../../api/queries.ts';
import { factsOf } from '../../../../../libs/telling/facts.ts';
import { fieldNamer } from '../../../../../libs/telling/field-names.ts';
import { endOf, mayStillEnd, outcomeText, shortfallText } from '../../../../../libs/telling/outcome.ts';
import { sentenceParts, type SentencePart, type ToldEvent } from '../../../../../libs/telling/sentence.ts';

/**
 * An entry of the audit trail in plain words. With `isLinked`, what it names leads to all entries about that. Otherwise a
 * destination leads to its page: the rest is what the reader looks at, or has no page.
 */
export function Sentence({ event, isLinked = false }: { event: ToldEvent; isLinked?: boolean }) {
  const nameOf = useDestinationName();
  const { data: forms } = useQuery(schemasQuery);
  const facts = factsOf(event.detail, fieldNamer(event, forms));
  return (
    <>
      {sentenceParts(event).map((part, index) => {
        if ('text' in part) return part.text;
        const text = part.name === 'destination' ? nameOf(part.type, part.value) : part.value;
        if (!isLinked)
          return part.name === 'destination' ? (
            <StoreLink key={index} type={part.type} name={part.value} />
          ) : (
            text
          );
        return (
          <Link key={index} to="/audit" search={filterOf(part, event)}>
            {text}
          </Link>
        );
      })}
      {facts.length > 0 ? <span className={kit.muted}> ({facts.join('; ')})</span> : null}
    </>
  );
}

function filterOf(part: Exclude<SentencePart, { text: string }>, event: ToldEvent) {
  if (part.name === 'secret') return { secret: part.value };
  if (part.name === 'destination') return { destination: `${part.type}/${part.value}` };
  if (part.name === 'token' && part.accessor) return { token: part.accessor };
  return { path: event.path };
}

/** How an entry ended, with the status that was sent, unless what was sent is an answer. */
export function EventOutcome({
  entry,
}: {
  entry: Pick<ToldEvent, 'outcome'> & {
    at: string | Date;
    status: number | null;
    detail?: ToldEvent['detail'];
  };
}) {
  const { outcome, status, detail } = entry;
  const word = outcomeText(entry);
  const isWell = endOf(outcome, detail) === 'succeeded' && shortfallText(entry) === undefined;
  if (isWell || mayStillEnd(entry)) return <span className={kit.muted}>{word}</span>;
  return (
    <span className={`${kit.chip} ${kit.person}`}>
      {word}
      {status === null || status < 400 ? '' : ` (${status})`}
    </span>
  );
}
