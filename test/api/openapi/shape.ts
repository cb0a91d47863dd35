/** Finds differences in the shape of two JSON values, by JSON pointer: types, keys, and elements that both lists have. */
export function findShapeFaults(shown: unknown, actual: unknown, place = ''): string[] {
  // A value that is null in one answer may be set in another.
  if (shown === null || actual === null || shown === undefined) return [];
  if (kindOf(shown) !== kindOf(actual))
    return [`${place}: ${kindOf(shown)} is shown, ${kindOf(actual)} came`];
  if (Array.isArray(shown) && Array.isArray(actual)) {
    return shown
      .slice(0, actual.length)
      .flatMap((one, index) => findShapeFaults(one, actual[index], `${place}/${index}`));
  }
  if (typeof shown !== 'object') return [];
  const [left, right] = [Object.entries(shown), Object.entries(actual as object)];
  // Some keys are names, which differ at each run.
  const areNames =
    left.length === right.length && left.some(([key]) => !Object.hasOwn(actual as object, key));
  if (areNames)
    return left.flatMap(([key, one], index) => findShapeFaults(one, right[index]?.[1], `${place}/${key}`));
  const missing = left.filter(([key]) => !Object.hasOwn(actual as object, key)).map(([key]) => key);
  return [
    ...missing.map((key) => `${place}/${key} is shown and did not come`),
    ...left
      .filter(([key]) => !missing.includes(key))
      .flatMap(([key, one]) =>
        findShapeFaults(one, (actual as Record<string, unknown>)[key], `${place}/${key}`),
      ),
  ];
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value;
}
