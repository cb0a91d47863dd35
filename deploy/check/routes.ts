import { publicEndpoints, secretsEndpoints } from '../../services/api/endpoints/index.ts';
import { documentPaths } from '../../services/api/openapi/paths.ts';
import { EXPLANATION_PATH } from '../../services/api/openapi/rows.ts';

/** Renders the paths below `/v1` as a table, from the tables of endpoints. */
export function describeRoutes(): string {
  const rows = [...secretsEndpoints, ...publicEndpoints]
    .filter(({ path }) => path !== EXPLANATION_PATH)
    .map(({ method, alsoMethods = [], path, summary }) => {
      const written = documentPaths(path).at(-1)?.path ?? path;
      return `| ${[method, ...alsoMethods].join(', ')} | \`${written}\` | ${summary} |`;
    });
  return ['\n| method | path | what it does |', '| --- | --- | --- |', ...rows].join('\n') + '\n\n';
}
