const ALONE = 'only:';

/**
 * What the ledger keeps of an entry: its project, the number of the version, and whether all older ones are known to be
 * destroyed: `my-project/only:7`.
 */
export function toReference(projectId: string, version: number, isAlone: boolean): string {
  return `${projectId}/${isAlone ? ALONE : ''}${version}`;
}

/** Null where none is told, as by references of before. */
export function projectOf(reference: string): string | null {
  const end = reference.indexOf('/');
  return end === -1 ? null : reference.slice(0, end);
}
