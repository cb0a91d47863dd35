const ALONE = 'only:';

/**
 * The reference that the ledger keeps of an entry: its project, the number of its version, and whether we know that all
 * older versions are destroyed. Example: `my-project/only:7`.
 */
export function toReference(projectId: string, version: number, isAlone: boolean): string {
  return `${projectId}/${isAlone ? ALONE : ''}${version}`;
}

/** The project in a reference; null in old references, which hold none. */
export function projectOf(reference: string): string | null {
  const end = reference.indexOf('/');
  return end === -1 ? null : reference.slice(0, end);
}
