import { counted } from '../collections/counted.ts';

type Detail = Record<string, unknown>;

/**
 * What a request for links meant: it makes some, decides about the entries of some, or changes nothing and syncs again.
 * Undefined if nobody knows, as of what was refused before anybody looked at it.
 */
export function linkPhrase(detail: Detail | null, outcome: string): string | undefined {
  const {
    link,
    secret,
    conflict_policy: policy,
    secret_name_template: template,
    only_linked: onlyLinked,
  } = detail ?? {};
  const isOne = typeof secret === 'string';
  const many = isOne ? undefined : manyPhrase(detail ?? {});
  if (many !== undefined) return many;
  if (link === 'created') return LINK;
  if (policy === 'adopt' || policy === 'overwrite')
    return `ask to ${policy} ${isOne ? 'the entry of :secret' : 'entries of secrets'} in :destination`;
  if (template === '') return 'ask to reset the name of :secret in :destination';
  if (typeof template === 'string') return 'ask to rename :secret in :destination to :template';
  if (onlyLinked === true) return isOne ? SYNC : 'ask to sync secrets in :destination';
  if (!isOne) return undefined;
  // What was refused or has not ended may have been meant to make the link.
  return outcome === 'succeeded' ? SYNC : LINK;
}

const LINK = 'link :secret to :destination';
const SYNC = 'ask to sync :secret in :destination';

// One request for many secrets: how many it linked, and how many were linked before.
function manyPhrase({
  linked = 0,
  refreshed = 0,
  refused,
  conflict_policy: policy,
  only_linked: onlyLinked,
}: Detail): string | undefined {
  if (typeof linked !== 'number' || typeof refreshed !== 'number') return undefined;
  const isDecided = policy === 'adopt' || policy === 'overwrite';
  const demand = isDecided ? `${policy} the entries of` : 'sync';
  if (linked > 0) {
    const rest = refreshed > 0 ? ` and asked to ${demand} ${refreshed} more` : '';
    return `link ${counted(linked, 'secret')} to :destination${rest}`;
  }
  if (refreshed > 0) return `ask to ${demand} ${counted(refreshed, 'secret')} in :destination`;
  if (typeof refused !== 'number') return undefined;
  const secrets = counted(refused, 'secret');
  return isDecided || onlyLinked === true
    ? `ask to ${demand} ${secrets} in :destination`
    : `link ${secrets} to :destination`;
}
