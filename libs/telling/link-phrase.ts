import { counted } from '../collections/counted.ts';

type Detail = Record<string, unknown>;

/**
 * What a request for links meant if it did not only make some: it decides about the entry of a link, or changes nothing
 * and syncs again. Undefined if it made the link, or may have been meant to.
 */
export function linkPhrase(detail: Detail | null, outcome: string): string | undefined {
  const { link, secret, conflict_policy: policy, secret_name_template: template } = detail ?? {};
  const many = manyPhrase(detail ?? {});
  if (many !== undefined) return many;
  if (link === 'created') return undefined;
  if (policy === 'adopt') return 'ask to adopt the entry of :secret in :destination';
  if (policy === 'overwrite') return 'ask to overwrite the entry of :secret in :destination';
  if (template === '') return 'ask to reset the name of :secret in :destination';
  if (typeof template === 'string') return 'ask to rename :secret in :destination to :template';
  // What was refused or has not ended may have been meant to make the link.
  return outcome === 'succeeded' && typeof secret === 'string'
    ? 'ask to sync :secret in :destination'
    : undefined;
}

// One request for many secrets: how many it linked, and how many were linked before.
function manyPhrase({
  linked = 0,
  refreshed = 0,
  refused,
  conflict_policy: policy,
}: Detail): string | undefined {
  if (typeof linked !== 'number' || typeof refreshed !== 'number') return undefined;
  const isDecided = policy === 'adopt' || policy === 'overwrite';
  const demand = isDecided ? `${policy} the entries of` : 'sync';
  if (linked > 0) {
    const rest = refreshed > 0 ? ` and asked to ${demand} ${refreshed} more` : '';
    return `link ${counted(linked, 'secret')} to :destination${rest}`;
  }
  if (refreshed > 0) return `ask to ${demand} ${counted(refreshed, 'secret')} in :destination`;
  return typeof refused === 'number'
    ? `try to link ${counted(refused, 'secret')} to :destination`
    : undefined;
}
