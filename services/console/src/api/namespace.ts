import { chooseNamespace, currentNamespace } from './client.ts';
import { queryClient } from './query-client.ts';

/**
 * Sends every call to this namespace from now on; empty: that of the caller's token. Forgets what was read from another
 * namespace.
 */
export function goToNamespace(path: string): void {
  const before = currentNamespace();
  chooseNamespace(path.replace(/^\/|\/$/g, ''));
  if (currentNamespace() !== before) void queryClient.resetQueries();
}
