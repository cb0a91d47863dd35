/**
 * Whether a text is as a pattern says, in which each `*` stands for any letters. We take the first place where a part fits,
 * which leaves the most text for the parts after it.
 */
export function matchesGlob(glob: string, name: string): boolean {
  const parts = glob.split('*');
  const first = parts.shift() ?? '';
  const last = parts.pop();
  if (last === undefined) return glob === name;
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let offset = first.length;
  for (const part of parts) {
    const found = name.indexOf(part, offset);
    if (found === -1) return false;
    offset = found + part.length;
  }
  return offset + last.length <= name.length;
}
