import type { Endpoint } from '../routing/endpoint.ts';
import { plainSpelling } from './told-path.ts';

type Row = Pick<Endpoint, 'method' | 'path' | 'alsoMethods'>;

/** The action of an entry: one for each operation, whichever alias of the path or the method a request used. */
export function actionOf(row: Pick<Row, 'method' | 'path'>, method: string): string {
  return `${method === 'HEAD' ? method : row.method} ${plainRoute(routeOf(row))}`;
}

/**
 * Finds the actions that mean the same operation as a given one: that of `actionOf`, and those of entries from earlier
 * versions, which had the method and the alias that the request used.
 */
export function createActionSpellings(rows: () => Row[]): (action: string) => string[] {
  let known: Map<string, string[]> | undefined;
  return (action) => (known ??= spellingsOf(rows())).get(action) ?? [action];
}

function spellingsOf(rows: Row[]): Map<string, string[]> {
  const byAction = new Map<string, Set<string>>();
  for (const row of rows) {
    const action = actionOf(row, row.method);
    const same = byAction.get(action) ?? new Set([action]);
    for (const method of [row.method, ...(row.alsoMethods ?? [])]) {
      same.add(`${method} ${routeOf(row)}`).add(`${method} ${plainRoute(routeOf(row))}`);
    }
    byAction.set(action, same);
  }
  return new Map(
    [...byAction.values()].flatMap((same) => [...same].map((spelling) => [spelling, [...same]] as const)),
  );
}

// A mount can have any name, so routes into mounts and auth methods begin with a marker of the router.
function routeOf({ path }: Pick<Row, 'path'>): string {
  return path.replace(/^\/~kv\d/, '/:mount').replace('/~', '/auth/');
}

function plainRoute(route: string): string {
  return `/${plainSpelling(route.slice(1))}`;
}
