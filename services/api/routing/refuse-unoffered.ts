import type { Context } from 'koa';
import { RequestError } from '../../../libs/errors/request-error.ts';
import type { Endpoint } from './endpoint.ts';

type Refused = {
  name: string;
  /** Values that ask for nothing. */
  harmless?: RegExp;
  reason: string;
};

/**
 * Headers by which clients of similar services ask for another protection, or for data from elsewhere. A client that
 * sends one relies on it, so we refuse the request. We accept headers that only route a request within a cluster: every
 * replica answers from the same database.
 */
export const REFUSED_HEADERS: Refused[] = [
  { name: 'X-Vault-MFA', reason: 'a second factor is not supported' },
  {
    name: 'X-Vault-Policy-Override',
    harmless: /^(?:false|0)$/i,
    reason: 'overriding policies is not supported',
  },
  {
    name: 'X-Vault-Wrap-Format',
    harmless: /^token$/i,
    reason: 'wrapping tokens have only one format',
  },
  { name: 'X-Vault-Recover-Snapshot-Id', reason: 'snapshots are not supported' },
  { name: 'X-Vault-Recover-Source-Path', reason: 'snapshots are not supported' },
];

/** Query parameters that ask for data from elsewhere. */
export const REFUSED_PARAMETERS = ['read_snapshot_id', 'recover_snapshot_id'];

/**
 * Throws 400 for a header or parameter that asks for something that the call does not offer. Endpoints that need no token answer anyway.
 */
export function refuseUnoffered(
  row: Pick<Endpoint, 'access' | 'path' | 'isConditional' | 'takesIfNoneMatch'>,
  ctx: Context,
): void {
  if (row.access === 'public') return;
  const refused = REFUSED_HEADERS.filter(({ name, harmless }) => {
    const value = ctx.get(name).trim();
    return value !== '' && !harmless?.test(value);
  });
  const faults = [
    ...preconditionFaults(row, ctx),
    ...refused.map(({ name, reason }) => `${reason}: leave ${name} out`),
    ...REFUSED_PARAMETERS.filter((name) => ctx.query[name] !== undefined).map(
      (name) => `snapshots are not supported: leave ${name} out`,
    ),
  ];
  if (faults.length > 0) throw new RequestError('unsupported_header', faults);
}

// A write that ignores a precondition overwrites what the caller wanted to keep.
function preconditionFaults(
  row: Pick<Endpoint, 'path' | 'isConditional' | 'takesIfNoneMatch'>,
  ctx: Context,
): string[] {
  if (['GET', 'HEAD', 'LIST'].includes(ctx.method)) return [];
  const instead = row.path.startsWith('/~kv2/data/') ? ', and send options.cas instead' : '';
  return [...(row.isConditional ? [] : ['If-Match']), ...(row.takesIfNoneMatch ? [] : ['If-None-Match'])]
    .filter((name) => ctx.get(name) !== '')
    .map((name) => `this call cannot be made under this condition: leave ${name} out${instead}`);
}
