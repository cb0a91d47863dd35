export type JsonObject = Record<string, unknown>;

/** What a text says as JSON; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The object that a text is as JSON; undefined for anything else. */
export function parseObject(text: string): JsonObject | undefined {
  const parsed = parseJson(text);
  return isObject(parsed) ? parsed : undefined;
}

/** The object itself; an empty one for anything else, so that its fields can be asked for at once. */
export function asObject(data: unknown): JsonObject {
  return isObject(data) ? data : {};
}

function isObject(data: unknown): data is JsonObject {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}
