import type { Right } from './right.ts';

/** A call of the API, as a page would make it. */
export type Call = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** What the API asks for, unless it is the right of the method on the path. */
  rights?: Right[];
};

/**
 * The same call for a shell. It never contains a token, only a variable for it. `secrets` names sensitive fields of the
 * body. A body with one of them is read from a file, so that no value gets into the history of a shell; a comment shows the
 * body without the values.
 */
export function curlFor(
  { method, path, body, headers = {} }: Call,
  { secrets = [], namespace = '' }: { secrets?: string[]; namespace?: string } = {},
): string {
  const isAdmin = path.startsWith('/api/');
  const address = isAdmin ? path : `/v1/${path}`;
  const { text, isMasked } = textOf(body, secrets);
  const lines = [
    `curl -X ${method} "$SEALIFT_URL"${quote(address)}`,
    '-H "Authorization: Bearer $SEALIFT_TOKEN"',
    ...(namespace === '' || isAdmin ? [] : [`-H ${quote(`X-Namespace: ${namespace}`)}`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(text === undefined
      ? []
      : [
          `-H 'Content-Type: ${isAdmin ? 'application/vnd.api+json' : 'application/json'}'`,
          isMasked ? '-d @body.json' : `-d ${quote(text)}`,
        ]),
  ].join(' \\\n  ');
  return isMasked ? `${lines}\n# body.json: ${text}` : lines;
}

// Quotes a text so that a shell does not change it.
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function textOf(body: unknown, secrets: string[]): { text: string | undefined; isMasked: boolean } {
  let isMasked = false;
  const text = JSON.stringify(body, (key, value: unknown) => {
    if (!secrets.includes(key) || value === null) return value;
    isMasked = true;
    return `<${key}>`;
  }) as string | undefined;
  return { text, isMasked };
}
