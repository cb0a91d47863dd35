import { LONGEST_NAMESPACE_PATH } from '../../../libs/store/access/namespaces.ts';
import { RESERVED_SEGMENTS } from './reserved-segments.ts';

// Names that rules would take for something else.
const MORE_RESERVED = new Set(['root', 'cubbyhole', 'audit']);

/** Why no new namespace can have this path: in other letters, too, a name that stands for something else misleads. */
export function newNamespaceFault(path: string): string | null {
  const taken = path.split('/').find((segment) => MORE_RESERVED.has(segment.toLowerCase()));
  return namespacePathFault(path) ?? (taken === undefined ? null : `the name ${taken} is reserved`);
}

/** Why no namespace can have this path, as one sentence, or null. The path of the root namespace is not among them. */
export function namespacePathFault(path: string): string | null {
  if (path.length > LONGEST_NAMESPACE_PATH)
    return `the path of a namespace must have at most ${LONGEST_NAMESPACE_PATH} characters`;
  for (const segment of path.split('/')) {
    if (!/^[A-Za-z0-9_][A-Za-z0-9_.@-]*$/.test(segment))
      return 'the name of a namespace must have letters, digits, "_", ".", "@" or "-", and start with a letter, a digit or "_"';
    if (RESERVED_SEGMENTS.has(segment) || MORE_RESERVED.has(segment))
      return `the name ${segment} is reserved`;
  }
  return null;
}
