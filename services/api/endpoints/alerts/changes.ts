import { UnsealError } from '../../../../libs/crypto/seal.ts';
import { openAlertSecrets, type AlertRule } from '../../../../libs/store/notifications/rules.ts';
import { describeChanges, type AttributeChange } from '../../../../libs/validation/changes.ts';
import { printerOf } from '../../audit/print.ts';
import type { ApiRequest } from '../../routing/endpoint.ts';
import type { AlertDocument } from './compose.ts';

/** What a change does to each field of a rule, for the audit trail; the fingerprints belong to the rule alone. */
export function changesOfAlert(
  { services, namespace, params }: ApiRequest,
  former: AlertRule | undefined,
  document: AlertDocument | undefined,
): Record<string, AttributeChange> {
  const before = former
    ? { enabled: former.enabled, ...former.settings, ...secretsOf(services, former) }
    : {};
  const after = document ? { enabled: document.enabled, ...document.settings, ...document.secrets } : {};
  return describeChanges(before, after, {
    isSecret: (name) => name === 'url' || name === 'secret',
    fingerprint: printerOf(services, `alert ${namespace.path} ${params['name'] ?? ''}`),
  });
}

// What can no longer be opened counts as changed.
function secretsOf({ keyring }: ApiRequest['services'], rule: AlertRule): object {
  try {
    return openAlertSecrets(keyring, rule) ?? {};
  } catch (error) {
    if (error instanceof UnsealError) return {};
    throw error;
  }
}
