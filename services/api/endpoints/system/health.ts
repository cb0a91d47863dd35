import { Type } from 'typebox';
import { contextReadiness } from '../../../../libs/service/health.ts';
import { endpoint, type Endpoint } from '../../routing/endpoint.ts';
import { closed, texts } from '../../contract/schema.ts';

const readyAnswer = closed({ status: Type.Enum(['ready', 'not ready']), missing: texts });

/** For load balancers and orchestrators; also on the process's own health port. */
export const healthEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/health/live',
    access: 'public',
    summary: 'Check whether the process runs',
    answers: { 200: { body: closed({ status: Type.Literal('live') }) } },
    handle: async () => json(200, { status: 'live' }),
  }),
  endpoint({
    method: 'GET',
    path: '/health/ready',
    access: 'public',
    summary: 'Check whether the process can do its work, and what is missing',
    answers: { 200: { body: readyAnswer }, 503: { body: readyAnswer } },
    handle: async ({ services }) => {
      // Without the broker changes are still accepted: they wait in Postgres.
      const missing = await contextReadiness(services, { needsBroker: false })();
      return json(missing.length === 0 ? 200 : 503, {
        status: missing.length === 0 ? 'ready' : 'not ready',
        missing,
      });
    },
  }),
];

function json(status: number, body: unknown) {
  return { status, plain: { type: 'application/json', body: JSON.stringify(body) } };
}
