import { notFound } from '../../../../libs/errors/request-error.ts';
import { docsPage, POLICY, readAsset } from '../../openapi/viewer.ts';
import { endpoint, type Endpoint } from '../../routing/endpoint.ts';

const headers = { 'Content-Security-Policy': POLICY, 'Referrer-Policy': 'no-referrer' };

/** A page to read and try the API in a browser. It loads everything from this service. */
export const docsEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/docs',
    access: 'public',
    summary: 'Show this document as a page',
    answers: { 200: { types: ['text/html'] } },
    handle: async () => ({ status: 200, headers, plain: { type: 'text/html', body: docsPage } }),
  }),
  endpoint({
    method: 'GET',
    path: '/docs/:name',
    access: 'public',
    summary: 'Read a file of that page',
    answers: { 200: { types: ['text/css', 'text/javascript', 'image/png'] } },
    handle: async ({ params }) => {
      const asset = await readAsset(params['name'] ?? '');
      if (!asset) throw notFound();
      return { status: 200, headers, plain: asset };
    },
  }),
];
