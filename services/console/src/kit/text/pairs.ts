/** Lines of `name=value` as a form has them, and the maps that they stand for. */

type Line = { number: number; name: string; value: string | null };

const NAMES_NOTHING = 'has no “=”: write name=value.';

function linesOf(text: string): Line[] {
  return text.split(/\r\n?|\n/).flatMap((line, index) => {
    if (line.trim() === '') return [];
    const split = line.indexOf('=');
    const number = index + 1;
    return [
      split === -1
        ? { number, name: line, value: null }
        : { number, name: line.slice(0, split), value: line.slice(split + 1) },
    ];
  });
}

/**
 * What is wrong with lines; null if nothing is. `several`: the lines of one name make a list, and each needs a value.
 * Otherwise each name may stand once, and its value may be empty.
 */
export function findLineFault(text: string, several = false): string | null {
  const lines = linesOf(text);
  const bare = lines.find(({ value }) => value === null || (several && value.trim() === ''));
  if (bare)
    return bare.value === null ? `Line ${bare.number} ${NAMES_NOTHING}` : `Line ${bare.number} has no value.`;
  const twice = several
    ? undefined
    : lines.find(({ name }, index) => lines.findIndex((one) => one.name === name) < index);
  return twice ? `Line ${twice.number}: “${twice.name}” is there already.` : null;
}

/** The map of lines; lines with a fault stay a text. */
export function mapOfLines(text: string, several = false): Record<string, unknown> | string {
  if (findLineFault(text, several) !== null) return text;
  if (!several) return Object.fromEntries(linesOf(text).map(({ name, value }) => [name, value ?? '']));
  const values = new Map<string, unknown[]>();
  for (const { name, value } of linesOf(text)) {
    values.set(name.trim(), [...(values.get(name.trim()) ?? []), ...valuesOf((value ?? '').trim())]);
  }
  return Object.fromEntries([...values].map(([name, list]) => [name, list.length === 1 ? list[0] : list]));
}

// Who knows the API writes a list as it takes it.
function valuesOf(value: string): unknown[] {
  if (!value.startsWith('[')) return [value];
  try {
    const list: unknown = JSON.parse(value);
    return Array.isArray(list) && list.length > 0 ? list : [value];
  } catch {
    return [value];
  }
}

/** The lines of a map. */
export function linesOfMap(map: object, several = false): string {
  return Object.entries(map)
    .flatMap(([name, value]) =>
      (several && Array.isArray(value) ? value : [value]).map((one) => `${name}=${textIn(one)}`),
    )
    .join('\n');
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}
