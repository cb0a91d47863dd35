import type { NamespaceAnswer } from '../contract/mounts.ts';
import type { NamespaceContents } from '../../../libs/store/access/namespace-contents.ts';
import type { DescribedNamespace } from '../../../libs/store/access/namespaces.ts';

/** A namespace; `path` is absolute and ends in a slash. */
export function presentNamespace(
  { id, path, custom_metadata }: DescribedNamespace,
  contents?: NamespaceContents,
  hindrances?: Record<string, number>,
): NamespaceAnswer {
  return {
    id,
    path: `${path}/`,
    custom_metadata,
    ...(hindrances ? { hindrances } : {}),
    ...(contents === undefined ? {} : { contents: present(contents) }),
  };
}

function present({ mounts, secrets, destinations, tokens, last_changed: changed }: NamespaceContents) {
  return { mounts, secrets, destinations, tokens, last_changed: changed?.toISOString() ?? null };
}
