import { useQueries } from '@tanstack/react-query';
import { isGiven, type Right } from '../../api/right.ts';
import { capabilitiesQuery } from '../../api/rights.ts';

type Guarded = { right?: Right };

/**
 * Those of some things whose right the caller has; undefined while that is not known. If it cannot be found out, all: the
 * API says what is refused.
 */
export function useAllowed<Thing extends Guarded>(things: Thing[]): Thing[] | undefined {
  const rights = things.flatMap(({ right }) => (right ? [right] : []));
  const answers = useQueries({ queries: rights.map(capabilitiesQuery) });
  if (answers.some(({ isPending }) => isPending)) return undefined;
  return things.filter(({ right }) => {
    if (!right) return true;
    const given = answers[rights.indexOf(right)]?.data;
    return given === undefined || isGiven(given, right);
  });
}
