import type { Right } from './right.ts';

/** A call of the API, as a page would make it. */
export type Call = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** What the API asks for, unless it is the right of the method on the path. */
  rights?: Right[];
  /** What its copy for a shell must say. */
  note?: string;
};

type Options = { secrets?: string[]; namespace?: string };

/**
 * The same calls for a shell, each only if the one before it succeeds. They never contain a token, only a variable for it.
 * `secrets` names sensitive fields of the bodies. A body with one of them is read from a file, so that no value gets into
 * the history of a shell; a comment shows the body without the values.
 */
export function curlFor(calls: Call[], options: Options = {}): string {
  const fails = calls.length > 1 ? ' --fail-with-body' : '';
  const shown = calls.map((call) => commandFor(call, fails, options));
  const commands = shown.map(({ command }) => command).join(' &&\n');
  return [commands, ...shown.flatMap(({ comments }) => comments.map((text) => `# ${text}`))].join('\n');
}

function commandFor(
  { method, path, body, headers = {}, note }: Call,
  fails: string,
  { secrets = [], namespace = '' }: Options,
): { command: string; comments: string[] } {
  const isAdmin = path.startsWith('/api/');
  const address = isAdmin ? path : `/v1/${path}`;
  const { text, isMasked } = textOf(body, secrets);
  const command = [
    `curl${fails} -X ${method} "$SEALIFT_URL"${quote(address)}`,
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
  const comments = [isMasked ? `body.json: ${text}` : '', note ?? ''].filter(Boolean);
  return { command, comments };
}

/** Quotes a text so that a shell does not change it. */
export function quote(text: string): string {
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
