/** What a URL says before its hosts, the hosts, and what follows them. */
const PARTS = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s;

/**
 * A URL for each host of one that may name several: `scheme://user:password@first:1,second:2/name`, as libpq has it. Null
 * where a URL of a single host would not be one, or where a parameter names the host again.
 */
export function splitHosts(text: string): string[] | null {
  const [, before = '', hosts = '', after = ''] = PARTS.exec(text) ?? [];
  if (!hosts.includes(',')) return [text];
  const names = hosts.split(',');
  const urls = names.map((host) => `${before}${host}${after}`);
  const isUsable = names.every((host) => host !== '' && !host.startsWith(':')) && urls.every(namesItsHost);
  return isUsable ? urls : null;
}

// The drivers take the parameter for every host.
function namesItsHost(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { searchParams } = new URL(url);
  return !searchParams.has('host') && !searchParams.has('port');
}
