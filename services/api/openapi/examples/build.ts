import type { Example } from '../example.ts';

/** What an example asks, and what later examples need from its answer. */
export type Asked = Pick<Example, 'params' | 'query' | 'headers' | 'body' | 'token' | 'keep' | 'status'>;

/** The time of everything in the examples. */
export const AT = '2026-01-15T09:30:00.000Z';

/** The revision of a thing, and who made it. */
export const CHANGED = { revision: '1-mkf8y2o0', changed_at: AT, changed_by: 'ana' };

/** The same for site administration. */
export const META = { revision: '1-mkf8y2o0', 'changed-at': AT, 'changed-by': 'ana' };

/** A call that answers with the envelope's `data`; 200 by default. */
export function gives(endpoint: string, name: string, data: unknown, request: Partial<Asked> = {}): Example {
  return { of: endpoint, name, status: 200, ...request, data };
}

/** A call that answers with a whole body, without an envelope; 200 by default. */
export function answers(
  endpoint: string,
  name: string,
  answer: unknown,
  request: Partial<Asked> = {},
): Example {
  return { of: endpoint, name, status: 200, ...request, answer };
}

/** A call that answers with nothing; 204 by default. */
export function ends(endpoint: string, name: string, request: Partial<Asked> = {}): Example {
  return { of: endpoint, name, status: 204, ...request };
}

/** A call that answers with a token. */
export function grants(endpoint: string, name: string, auth: unknown, request: Partial<Asked> = {}): Example {
  return { of: endpoint, name, status: 200, ...request, auth };
}

/** A JSON API document. */
export function documentOf(id: string, type: string, attributes: object, more: object = {}): object {
  return { data: { id, type, attributes, ...more } };
}

/** The first page of a JSON API list with `total` items, `size` on each page. */
export function firstPage(path: string, data: unknown[], { size, total }: { size: number; total: number }) {
  const pages = Math.ceil(total / size);
  const link = (page: number): string =>
    `https://sealift.example.com${path}?page%5Bnumber%5D=${page}&page%5Bsize%5D=${size}`;
  return {
    data,
    links: {
      self: link(1),
      first: link(1),
      prev: null,
      next: pages > 1 ? link(2) : null,
      last: link(pages),
    },
    meta: {
      pagination: {
        'current-page': 1,
        'page-size': size,
        'prev-page': null,
        'next-page': pages > 1 ? 2 : null,
        'total-pages': pages,
        'total-count': total,
      },
    },
  };
}
