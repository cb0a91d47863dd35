/** The part of a URL before its hosts, the hosts, and the rest. */
const PARTS = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s;

/**
 * One URL for each host of a URL that may name several: `scheme://user:password@first:1,second:2/name`, as in libpq. Null
 * if the URL of a single host would be invalid, or if a parameter names the host again.
 */
export function splitHosts(text: string): string[] | null {
  const [, before = '', hosts = '', after = ''] = PARTS.exec(text) ?? [];
  if (!hosts.includes(',')) return [text];
  const names = hosts.split(',');
  const urls = names.map((host) => `${before}${host}${after}`);
  const isUsable = names.every((host) => host !== '' && !host.startsWith(':')) && urls.every(namesItsHost);
  return isUsable ? urls : null;
}

/** The schema that a Postgres URL names as libpq has it, `?options=-csearch_path%3Dname`; null without one. */
export function schemaOf(url: string): string | null {
  const query = /\?(.*)$/s.exec(url)?.[1] ?? '';
  const options = new URLSearchParams(query).get('options') ?? '';
  return /(?:-c\s*|--)search_path=(\S*)/.exec(options)?.[1] ?? null;
}

// The drivers use such a parameter for every host.
function namesItsHost(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { searchParams } = new URL(url);
  return !searchParams.has('host') && !searchParams.has('port');
}
