import type { NamespaceAnswer } from '../contract/mounts.ts';
import type { DescribedNamespace } from '../../../libs/store/access/namespaces.ts';

/** A namespace; `path` is absolute and ends in a slash. */
export function presentNamespace({ id, path, custom_metadata }: DescribedNamespace): NamespaceAnswer {
  return { id, path: `${path}/`, custom_metadata };
}
