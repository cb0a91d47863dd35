import type { Namespace } from '../../../libs/store/access/namespaces.ts';

/** A namespace; `path` is absolute and ends in a slash. */
export function presentNamespace(namespace: Namespace): object {
  return { id: namespace.id, path: `${namespace.path}/`, custom_metadata: {} };
}
