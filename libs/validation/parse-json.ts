/** How deep brackets may nest. */
export const DEEPEST = 64;

/** The text is not JSON, or nests deeper than 64 levels. Callers may see the message. */
export class JsonError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'JsonError';
  }
}

/** Parses JSON. The depth limit protects the stack of all code that walks the result. Throws JsonError. */
export function parseJson(text: string): unknown {
  checkDepth(text);
  try {
    return JSON.parse(text);
  } catch {
    throw new JsonError('error parsing JSON: the body is not valid JSON');
  }
}

/** At least as many as a JSON text has values; a comma or colon in a string does not count. */
export function countValues(text: string): number {
  let count = 1;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === 92) index += 1;
      else if (code === 34) inString = false;
    } else if (code === 34) inString = true;
    else if (code === 44 || code === 91 || code === 123) count += 1;
  }
  return count;
}

/** Throws JsonError if brackets nest too deep; brackets inside strings do not count. */
export function checkDepth(text: string): void {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === 92) index += 1;
      else if (code === 34) inString = false;
    } else if (code === 34) inString = true;
    else if (code === 123 || code === 91) {
      depth += 1;
      if (depth > DEEPEST) throw new JsonError(`error parsing JSON: nested deeper than ${DEEPEST} levels`);
    } else if (code === 125 || code === 93) depth -= 1;
  }
}
