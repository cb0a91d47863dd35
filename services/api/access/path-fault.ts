const LONGEST_PATH = 1024;

/** What is wrong with the pattern of a rule; undefined if the pattern can match requests. */
export function pathFault(path: string): string | undefined {
  const quoted = JSON.stringify(path.slice(0, 120));
  if (path === '' || path.length > LONGEST_PATH)
    return `the path ${quoted} must have 1 to ${LONGEST_PATH} characters`;
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(path)) return `the path ${quoted} contains control characters`;
  if (path.includes('{{')) return `the path ${quoted}: templates {{…}} are not evaluated here`;
  if (path.slice(0, -1).includes('*'))
    return `the path ${quoted}: * is a wildcard only at the end; use + for one segment`;
  if (path.endsWith('+*')) return `the path ${quoted}: +* is not a wildcard; write +/*`;
  const segments = path.replace(/^\//, '').split('/');
  if (segments.slice(0, -1).includes(''))
    return `the path ${quoted} contains an empty segment, so it matches no request`;
  if (segments.includes('.') || segments.includes('..'))
    return `the path ${quoted} contains a segment . or .., so it matches no request`;
  if (segments[0] === 'v1')
    return `the path ${quoted} must not begin with v1/: policies match the path after it`;
  return undefined;
}
