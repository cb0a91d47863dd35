/**
 * What a request for one link meant if it made none: it decides about the entry of a link, or changes nothing and syncs
 * again. Undefined if it made the link, or may have been meant to.
 */
export function linkPhrase(detail: Record<string, unknown> | null, outcome: string): string | undefined {
  const { link, secret, conflict_policy: policy, secret_name_template: template } = detail ?? {};
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
