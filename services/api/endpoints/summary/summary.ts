import { createHash } from 'node:crypto';
import { summarise } from '../../../../libs/store/associations/summary.ts';
import { namesTag } from '../../../../libs/validation/preconditions.ts';
import { presentSummary } from '../../presenters/summary.ts';
import { endpoint, type Endpoint } from '../../routing/endpoint.ts';
import { summaryAnswer } from '../../contract/summary.ts';

/** Is everything in sync, and what is not? */
export const summaryEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/sys/sync/summary',
    access: 'policy',
    summary:
      'Count the associations by status, and the failing ones by cause; 304 if nothing changed since `If-None-Match`',
    answers: { 200: { data: summaryAnswer }, 304: {} },
    handle: async ({ services, namespace, header }) => {
      const data = presentSummary(await summarise(services.db, namespace.id));
      const digest = createHash('sha256').update(JSON.stringify(data)).digest('base64url');
      const headers = { ETag: `"${digest}"` };
      if (namesTag(header('if-none-match'), headers.ETag)) return { status: 304, headers };
      return { status: 200, data, headers };
    },
  }),
];
