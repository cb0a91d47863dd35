/** A call of the API, as a page would make it. */
export type Call = { method: 'GET' | 'POST' | 'PATCH' | 'DELETE'; path: string; body?: unknown };

/**
 * The same call for a shell. It never contains a token, only a variable for it. `secrets` names sensitive fields of the
 * body; their values are replaced too.
 */
export function curlFor(
  { method, path, body }: Call,
  { secrets = [], namespace = '' }: { secrets?: string[]; namespace?: string } = {},
): string {
  const isAdmin = path.startsWith('/api/');
  const address = isAdmin ? path : `/v1/${path}`;
  const text = body === undefined ? undefined : JSON.stringify(body, masking(secrets));
  return [
    `curl -X ${method} "$SEALIFT_URL"${quote(address)}`,
    '-H "Authorization: Bearer $SEALIFT_TOKEN"',
    ...(namespace === '' || isAdmin ? [] : [`-H ${quote(`X-Namespace: ${namespace}`)}`]),
    ...(text === undefined
      ? []
      : [
          `-H 'Content-Type: ${isAdmin ? 'application/vnd.api+json' : 'application/json'}'`,
          `-d ${quote(text)}`,
        ]),
  ].join(' \\\n  ');
}

// Quotes a text so that a shell does not change it.
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function masking(secrets: string[]): (key: string, value: unknown) => unknown {
  return (key, value) => (secrets.includes(key) ? `<${key}>` : value);
}
