import { startSettingsWorker } from '../../../services/settings/start.ts';
import { createToken } from '../../../libs/store/access/tokens.ts';
import type { Answer } from '../../support/client.ts';
import { startSealift, type Sealift, type SealiftOptions } from '../../support/sealift.ts';

/** An installation with a settings worker, and shortcuts for its settings documents. */
export type AdminSealift = Sealift & {
  /** Reads the attributes of a document. */
  read: (kind: string) => Promise<Record<string, unknown>>;
  change: (kind: string, attributes: Record<string, unknown>) => Promise<Answer>;
  /** The secret of a new token with these policies. */
  tokenWith: (...policies: string[]) => Promise<string>;
  /** Resets a document to its defaults, except that the rate limit stays off. */
  forget: (kind: string) => Promise<void>;
};

/** Undo: `stop`. */
export async function startAdmin(options: SealiftOptions = {}): Promise<AdminSealift> {
  const sealift = await startSealift({ workers: { settings: startSettingsWorker }, ...options });
  const { client, context } = sealift;
  return {
    ...sealift,
    read: async (kind) => (await client.get(pathOf(kind))).body.data.attributes,
    change: (kind, attributes) => client.patch(pathOf(kind), { data: { attributes } }),
    tokenWith: async (...policies) => {
      const { secret } = await createToken(context.db, context.installation.hashKey, {
        namespaceId: 'root',
        parentId: null,
        displayName: 'test',
        policies,
        renewable: false,
        ttlSeconds: 0,
        explicitMaxTtlSeconds: 0,
      });
      return secret;
    },
    // In one step: between two steps, the API could read that its clients are rate limited again.
    forget: async (kind) => {
      await context.db.transaction(async (transaction) => {
        await transaction('settings').where({ kind }).delete();
        if (kind !== 'general') return;
        const attributes = JSON.stringify({ 'api-rate-limiting-enabled': false });
        await transaction('settings').insert({ kind, attributes });
      });
    },
  };
}

/** The path of a settings document. */
export function pathOf(kind: string): string {
  return `/api/v2/admin/${kind}-settings`;
}

/** The pointers in the error objects of a refusal. */
export function pointersOf(answer: Answer): string[] {
  return answer.body.errors.map((error: { source?: { pointer: string } }) => error.source?.pointer);
}
