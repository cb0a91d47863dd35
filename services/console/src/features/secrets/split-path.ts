/** A secret or a folder: its mount, and the path in the mount. */
export type SecretName = { mount: string; path: string };

/** Finds the mount of a path, the longest one that fits; undefined if none fits. */
export function splitPath(mounts: string[], full: string): SecretName | undefined {
  const fitting = mounts.filter((mount) => full === mount || full.startsWith(`${mount}/`));
  const mount = fitting.toSorted((left, right) => right.length - left.length)[0];
  return mount === undefined ? undefined : { mount, path: full.slice(mount.length + 1) };
}
