import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { isGiven, mayBeEnough, type Right } from '../../api/right.ts';
import { capabilitiesQuery } from '../../api/rights.ts';

/** What a page needs. */
export type PageRights = {
  /** All of them are needed for what the page shows; without any, everybody may see it. */
  rights?: Right[];
  /** Each opens the page too, for a part of what it offers. */
  parts?: Right[];
};

/** Whether the caller may see a page; undefined while that is not known. If it cannot be found out, the API says what is refused. */
export function useIsOpen({ rights = [], parts = [] }: PageRights): boolean | undefined {
  const wanted = [...rights, ...parts];
  const answers = useQueries({ queries: wanted.map(capabilitiesQuery) });
  const given = (right: Right) => answers[wanted.indexOf(right)]?.data;
  const isOpen =
    rights.every((right) => isGiven(given(right) ?? ['root'], right)) ||
    parts.some((right) => mayBeEnough(given(right) ?? ['root'], right));
  const isKnown = answers.every(({ isFetched }) => isFetched);
  // A right that is taken away later must not cost what the user has typed.
  const place = JSON.stringify(rights);
  const [opened, setOpened] = useState<string | null>(null);
  if (isKnown && isOpen && opened !== place) setOpened(place);
  if (opened === place) return true;
  return isKnown ? isOpen : undefined;
}
