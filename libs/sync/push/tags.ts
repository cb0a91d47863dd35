/** Whether two sets of tags are equal; tags nobody knows (null) equal none at all. */
export function sameTags(left: Record<string, string> | null, right: Record<string, string>): boolean {
  const known = left ?? {};
  const keys = Object.keys(known);
  return keys.length === Object.keys(right).length && keys.every((key) => known[key] === right[key]);
}
