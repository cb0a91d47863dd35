/** The path of a namespace as a person writes it, without slashes at its ends; `root` and nothing are the root. */
export function namespaceIn(text: string): string {
  const path = text.split('/').filter(Boolean).join('/');
  return path === 'root' ? '' : path;
}
