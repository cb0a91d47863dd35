import type { Sealift } from '../../support/sealift.ts';
import { createToken } from '../../../libs/store/access/tokens.ts';

export const VERSIONS = '/api/v2/admin/policy-engine-versions';

export const SHA = 'a'.repeat(64);

/** A JSON API resource in an answer. */
export type Resource = { id: string; type: string; attributes: Record<string, unknown> };

/** An error object that points at the faulty attribute. */
export type Pointed = { source: { pointer: string } };

/** Attributes that make a valid new version. */
export function newVersion(
  version: string,
  attributes: Record<string, unknown> = {},
): Record<string, unknown> {
  return { version, url: `https://releases.test/${version}`, sha: SHA, ...attributes };
}

/** A JSON API document of a version. */
export function documentOf(attributes: unknown, type: unknown = 'policy-engine-versions'): unknown {
  return { data: { type, attributes } };
}

/** A token with the given policies, in the root namespace by default. */
export async function tokenWith(sealift: Sealift, policies: string[], namespaceId = 'root'): Promise<string> {
  const { db, installation } = sealift.context;
  const { secret } = await createToken(db, installation.hashKey, {
    namespaceId,
    parentId: null,
    displayName: policies.join('-') || 'nobody',
    policies,
    renewable: false,
    ttlSeconds: 0,
    explicitMaxTtlSeconds: 0,
  });
  return secret;
}
