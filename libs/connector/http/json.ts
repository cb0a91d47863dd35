export type JsonObject = Record<string, unknown>;

/** The text parsed as JSON; undefined if it is not JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The object that the text is in JSON; undefined for anything else. */
export function parseObject(text: string): JsonObject | undefined {
  const parsed = tryParseJson(text);
  return isObject(parsed) ? parsed : undefined;
}

/** The object itself, or an empty object for anything else, so that the caller can read its fields at once. */
export function asObject(data: unknown): JsonObject {
  return isObject(data) ? data : {};
}

function isObject(data: unknown): data is JsonObject {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}
