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
  // A refused question is asked again by each part of the page that appears, and what is shown must not depend on that.
  if (answers.some(({ isFetched }) => !isFetched)) return undefined;
  return things.filter(({ right }) => {
    if (!right) return true;
    const given = answers[rights.indexOf(right)]?.data;
    return given === undefined || isGiven(given, right);
  });
}

/** Whether the caller has all these rights; undefined while that is not known. */
export function useRights(rights: Right[]): boolean | undefined {
  const allowed = useAllowed(rights.map((right) => ({ right })));
  return allowed && allowed.length === rights.length;
}

/**
 * Whether the caller has all rights to something that a page asks for by itself; false until that is known. What a page
 * asks for without them would stand in the audit trail as a refusal, and hide those that matter there.
 */
export function useHasRights(rights: Right[]): boolean {
  return useRights(rights) ?? false;
}
