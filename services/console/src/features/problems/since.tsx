import { useQuery } from '@tanstack/react-query';
import { titleOfCause } from '../../../../../libs/telling/cause-titles.ts';
import { rowOfLinkQuery } from '../../api/queries.ts';
import kit from '../../kit/kit.module.css';
import { Lasting, Time } from '../../kit/time.tsx';
import type { SecretName } from '../secrets/split-path.ts';

/** The store says it of all links together, so no entry of its own has it. */
export const RATE_LIMITED = {
  code: 'rate_limited',
  message: 'The store refuses calls for now: its rate limit was reached. The change is kept.',
};

/** For how long a link has been out of sync for a cause: since the first of its keys was. */
export function Since({
  code,
  known,
  isDrift,
  isHeld,
  isLacking,
  isOwn,
  ...linked
}: {
  type: string;
  name: string;
  secret: SecretName;
  code: string;
  /** What is known of each key. */
  known: ({ code: string; since: string } | null | undefined)[];
  isDrift: boolean;
  isHeld: boolean;
  /** The store is known to lack something. */
  isLacking: boolean;
  /** The newest attempt at the link failed for it. */
  isOwn: boolean;
}) {
  const isLimited = code === RATE_LIMITED.code;
  // A key may have failed for something else before the rate limit was reached.
  const times = known.flatMap((cause) => (cause && (isLimited || cause.code === code) ? [cause.since] : []));
  const filter =
    isLimited && isHeld ? { prefix: `${linked.secret.mount}/${linked.secret.path}` } : { cause: code };
  const { data } = useQuery({ ...rowOfLinkQuery(linked, filter), enabled: times.length === 0 });
  const since = times.toSorted()[0] ?? data?.since;
  if (!since) return null;
  const isOfDestination = !isOwn && times.length === 0 && data?.scope === 'destination';
  const text = isLimited && !isLacking ? 'Waiting' : lastingText(code, { isHeld, isOfDestination });
  // It was changed before that.
  if (isDrift)
    return (
      <span className={kit.muted}>
        Found <Time at={since} />
      </span>
    );
  return (
    <span className={kit.muted}>
      {text} for <Lasting since={since} />
    </span>
  );
}

function lastingText(
  code: string,
  { isHeld, isOfDestination }: { isHeld: boolean; isOfDestination: boolean },
): string {
  if (code === RATE_LIMITED.code) return 'Out of sync';
  if (isHeld) return titleOfCause(code);
  return isOfDestination ? 'Destination failing' : 'Failing';
}
