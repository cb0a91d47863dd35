/** Destinations that have something in common, such as their store. */
export type Group = { key: string; count: number };

/** What stands at a place of a grouped list: the heading of a group, or a destination by its number without headings. */
export function lineAt(groups: Group[], index: number): { group: Group } | { row: number } {
  let start = 0;
  for (const [headings, group] of groups.entries()) {
    if (index === start) return { group };
    if (index <= start + group.count) return { row: index - headings - 1 };
    start += group.count + 1;
  }
  return { row: index - groups.length };
}
