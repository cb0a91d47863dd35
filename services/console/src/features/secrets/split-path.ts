/** A secret, or a folder, by its mount and the path in it. */
export type SecretName = { mount: string; path: string };

/** Finds the mount that a path lies in, the longest that fits; undefined where none does. */
export function splitPath(mounts: string[], full: string): SecretName | undefined {
  const fitting = mounts.filter((mount) => full === mount || full.startsWith(`${mount}/`));
  const mount = fitting.toSorted((left, right) => right.length - left.length)[0];
  return mount === undefined ? undefined : { mount, path: full.slice(mount.length + 1) };
}
