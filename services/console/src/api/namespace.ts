import { chooseNamespace, currentNamespace } from './client.ts';
import { queryClient } from './query-client.ts';

/** From now on every call goes to this namespace; empty: that of the caller's token. What was read of another is forgotten. */
export function goToNamespace(path: string): void {
  const before = currentNamespace();
  chooseNamespace(path.replace(/^\/|\/$/g, ''));
  if (currentNamespace() !== before) void queryClient.resetQueries();
}
