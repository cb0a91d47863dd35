import { connect, type Client, type Options } from './client.ts';

/** A list, which tells who owns the rows, and a write for each batch. */
export function hostingProject({ installation, concurrency }: Options): Client {
  const call = connect(process.env['HOSTING_PROJECT_API_URL'] ?? '', concurrency);
  return {
    batchSize: 100,
    open: (settings) => {
      const { access_token: token = '', project_id: project = '' } = settings;
      const target = settings['deployment_environments'] ?? [];
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const path = `/v10/projects/${project}/env`;
      const comment = `sealift ${installation} ${[target].flat().join('+')}`;
      return Promise.resolve(async (items) => {
        await call({ method: 'GET', path, headers });
        const rows = items.map(({ name: key, value }) => ({
          key,
          value,
          type: 'encrypted',
          target,
          comment,
        }));
        await call({ method: 'POST', path: `${path}?upsert=true`, headers, body: JSON.stringify(rows) });
      });
    },
  };
}
