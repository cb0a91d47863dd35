type Named = { display_name: string; accessor: string; policies: string[] };

/** Whether something has a text in its name, its accessor or one of its policies. */
export function named(text: string): (one: Named) => boolean {
  const part = text.trim().toLowerCase();
  return ({ display_name: name, accessor, policies }) =>
    [name, accessor, ...policies].some((word) => word.toLowerCase().includes(part));
}
