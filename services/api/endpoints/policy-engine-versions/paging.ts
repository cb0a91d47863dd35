import { Type } from 'typebox';
import { parameterProblem, unprocessable } from '../../../../libs/errors/request-error.ts';

const DEFAULT_SIZE = 20;
const LARGEST_SIZE = 100;

/** A text filter of a list; empty means not given. */
export const textFilter = (description: string) =>
  Type.Optional(
    Type.String({
      maxLength: 512,
      pattern: '^[^\\u0000]*$',
      errorMessage: 'must be a text of at most 512 characters without null characters, such as abc',
      description,
    }),
  );

// For clients, an empty value means that there is no number.
const pageNumber = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: '^([1-9]\\d*)?$',
      errorMessage: 'must be a whole number from 1 on, such as 2',
      description,
    }),
  );

/** Query parameters of every list: page numbers begin at 1; sizes above 100 count as 100. */
export const pageSchema = {
  'page[number]': pageNumber('Number of the page. Default 1.'),
  'page[size]': pageNumber(`Number of items on a page. Default ${DEFAULT_SIZE}, at most ${LARGEST_SIZE}.`),
};

type PageQuery = { 'page[number]'?: string | undefined; 'page[size]'?: string | undefined };

export type Page = { number: number; size: number; offset: number };

/** The page that a checked query asks for. Throws 422 for a number that is too large to be echoed exactly. */
export function pageOf(query: PageQuery): Page {
  const number = Number(query['page[number]'] || 1);
  if (!Number.isSafeInteger(number)) {
    throw unprocessable(parameterProblem('page[number]', `must be at most ${Number.MAX_SAFE_INTEGER}`));
  }
  const size = Math.min(Number(query['page[size]'] || DEFAULT_SIZE), LARGEST_SIZE);
  return { number, size, offset: (number - 1) * size };
}

/** `meta` and `links` of a list. `self` is the list's address; `filters` are repeated in every link. */
export function describePage(
  page: Page,
  options: { self: string; filters: Record<string, string | undefined>; total: number },
) {
  const { self, filters, total } = options;
  const last = Math.max(1, Math.ceil(total / page.size));
  const previous = page.number > 1 ? Math.min(page.number - 1, last) : null;
  const next = page.number < last ? page.number + 1 : null;
  const link = (number: number) => {
    const given = Object.entries(filters).filter((entry): entry is [string, string] => Boolean(entry[1]));
    const query = [...given, ['page[number]', String(number)], ['page[size]', String(page.size)]]
      .map((pair) => pair.map(encodeURIComponent).join('='))
      .join('&');
    return `${self}?${query}`;
  };
  return {
    links: {
      self: link(page.number),
      first: link(1),
      prev: previous === null ? null : link(previous),
      next: next === null ? null : link(next),
      last: link(last),
    },
    meta: {
      pagination: {
        'current-page': page.number,
        'page-size': page.size,
        'prev-page': previous,
        'next-page': next,
        'total-pages': last,
        'total-count': total,
      },
    },
  };
}
