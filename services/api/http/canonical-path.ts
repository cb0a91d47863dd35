import { LIMITS, requireWithin } from '../limits.ts';
import { badRequest } from '../../../libs/errors/request-error.ts';

/**
 * Decodes the path of a request, and removes slashes at its ends, doubled slashes and the optional `/v1`. Routing and
 * policies see this form only. Throws 400 for a path that has two readings.
 */
export function canonicalPath(path: string): string {
  const decoded = decode(path);
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(decoded)) throw badRequest('the path must not contain control characters');
  const segments = decoded.split('/').filter(Boolean);
  requireWithin(LIMITS.pathSegments, segments.length);
  if (segments.some((segment) => segment === '.' || segment === '..')) {
    throw badRequest('the path must not contain the segments . and ..');
  }
  return (segments[0] === 'v1' ? segments.slice(1) : segments).join('/');
}

/** A canonical path as the router matches it. */
export function routedPath(path: string): string {
  return `/${path.split('/').map(encodeURIComponent).join('/')}`;
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw badRequest('the path is not valid percent-encoding');
  }
}
