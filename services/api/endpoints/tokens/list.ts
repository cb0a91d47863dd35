import { Type } from 'typebox';
import { accessorPages, describeTokens, listTokens } from '../../../../libs/store/access/token-lists.ts';
import { BUILT_IN_POLICIES } from '../../access/policy.ts';
import { presentListedToken } from '../../presenters/token.ts';
import { endpoint, ok, type Endpoint } from '../../routing/endpoint.ts';
import { streamedKeys } from '../../routing/streamed.ts';
import { keysAnswer } from '../../contract/schema.ts';
import { tokensAnswer } from '../../contract/tokens.ts';

const PATH = '/auth/token/accessors';
const DEFAULT_TOKENS = 50;
const MOST_TOKENS = 200;

/** Listing tokens. */
export const tokenListEndpoints: Endpoint[] = [
  endpoint({
    method: 'LIST',
    path: PATH,
    access: 'sudo',
    summary: 'List the accessors of all tokens of a namespace',
    answers: { 200: { data: keysAnswer } },
    handle: ({ services, namespace }) => streamedKeys(() => accessorPages(services.db, namespace.id)),
  }),
  endpoint({
    method: 'GET',
    path: PATH,
    access: 'sudo',
    summary: 'Read the tokens of a namespace, newest first, page by page; their secrets are not stored',
    answers: { 200: { data: tokensAnswer } },
    query: Type.Object({
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: MOST_TOKENS,
          description: `Maximum number of tokens. Default ${DEFAULT_TOKENS}.`,
        }),
      ),
      before: Type.Optional(
        Type.Integer({
          minimum: 1,
          description: '`next_before` of the previous answer. Default: the first page.',
        }),
      ),
      sort: Type.Optional(
        Type.Unsafe<'expiry'>({
          type: 'string',
          enum: ['expiry'],
          description: '`expiry`: those that stay longest first. Default: newest first.',
        }),
      ),
    }),
    handle: async ({ services, namespace, query }) => {
      const { limit = DEFAULT_TOKENS, before = null, sort } = query;
      const byExpiry = sort === 'expiry';
      const tokens = await listTokens(services.db, namespace.id, { before, limit, byExpiry });
      const ids = tokens.map(({ id }) => id);
      const surroundings = await describeTokens(services.db, ids, Object.keys(BUILT_IN_POLICIES));
      const last = tokens.length === limit ? tokens.at(-1) : undefined;
      return ok({
        tokens: tokens.map((token) => presentListedToken(token, surroundings.get(token.id))),
        next_before: last?.id ?? null,
      });
    },
  }),
];
