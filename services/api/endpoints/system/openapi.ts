import { endpoint, type Endpoint } from '../../routing/endpoint.ts';
import { createDocument } from '../../openapi/document.ts';
import type { EndpointTables } from '../../openapi/rows.ts';
import { anyObject } from '../../contract/schema.ts';

/**
 * The description of all endpoints, including this one. So `tables` is called at the first request, when the tables are
 * complete.
 */
export function openapiEndpoints(tables: () => EndpointTables): Endpoint[] {
  let text: Promise<string> | undefined;
  return [
    endpoint({
      method: 'GET',
      path: '/openapi.json',
      access: 'public',
      summary: 'Read this document: every endpoint in OpenAPI 3.1',
      answers: { 200: { body: anyObject } },
      handle: async () => {
        text ??= createDocument(tables()).then((document) => JSON.stringify(document));
        return { status: 200, plain: { type: 'application/json', body: await text } };
      },
    }),
  ];
}
