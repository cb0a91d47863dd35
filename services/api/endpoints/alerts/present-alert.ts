import { MASK } from '../../../../libs/settings/redact.ts';
import type { DeliveryRow, RuleHealth } from '../../../../libs/store/notifications/deliveries.ts';
import { TEST_FAILED } from '../../../../libs/store/notifications/tests.ts';
import type { EnvironmentRule } from '../../../../libs/store/notifications/environment.ts';
import type { AlertRule, AlertSecrets } from '../../../../libs/store/notifications/rules.ts';
import type { AlertAnswer, AlertDeliveryAnswer, AlertStateAnswer } from '../../contract/alerts.ts';
import { alertDefaults } from '../../alert-fields.ts';

/** A rule as callers may read it. */
export function presentAlert({ name, enabled, settings }: AlertRule): AlertAnswer {
  const masked = settings.channel === 'webhook' ? { url: MASK, secret: MASK } : {};
  return { name, read_only: false, enabled, ...settings, muted_until: settings.muted_until ?? '', ...masked };
}

/** The rule that the environment of the maintenance worker gives. */
export function presentEnvironmentAlert(
  name: string,
  { addresses, minutes, webhook }: EnvironmentRule,
): AlertAnswer {
  return {
    ...alertDefaults,
    muted_until: '',
    name,
    read_only: true,
    channel: channelOf({ addresses, webhook }),
    addresses,
    ...(webhook ? { url: MASK, secret: MASK } : {}),
    minutes,
    resolved: false,
  };
}

/** A rule in the list. Of the address of a webhook only the host is shown: what follows may be a secret. */
export function presentAlertState(
  { enabled, settings }: AlertRule,
  secrets: AlertSecrets | null,
  { health, mailFault }: { health: RuleHealth | undefined; mailFault: string | null },
): AlertStateAnswer {
  return {
    channel: settings.channel,
    recipients: secrets ? [hostOf(secrets.url)] : settings.addresses,
    enabled,
    read_only: false,
    muted_until: isMuted(settings.muted_until) ? settings.muted_until : null,
    last_delivered: health?.lastDelivered?.toISOString() ?? null,
    failing: (settings.channel === 'email' ? mailFault : null) ?? health?.failing ?? null,
    held: health?.held ?? 0,
  };
}

function isMuted(until: string | undefined): until is string {
  return until !== undefined && Date.parse(until) > Date.now();
}

/** The environment's rule in the list. */
export function presentEnvironmentState({ addresses, webhook }: EnvironmentRule): AlertStateAnswer {
  return {
    channel: channelOf({ addresses, webhook }),
    recipients: addresses,
    enabled: true,
    read_only: true,
    muted_until: null,
    last_delivered: null,
    failing: null,
    held: 0,
  };
}

/** A message that was or will be sent. Of a webhook's address only the host is shown. */
export function presentDelivery(row: DeliveryRow, secrets: AlertSecrets | null): AlertDeliveryAnswer {
  return {
    id: row.message_id,
    recipient: row.recipient || (secrets ? hostOf(secrets.url) : ''),
    happenings: row.kinds,
    about: [...new Set(row.about.flatMap((one) => (one === null ? [] : [one])))],
    outcome: outcomeOf(row),
    detail: row.detail,
    queued_at: row.queued_at.toISOString(),
    attempts: row.attempts,
    tried_at: row.tried_at?.toISOString() ?? null,
    next_try_at: row.due_at?.toISOString() ?? null,
  };
}

function outcomeOf({ held, delivered_at: deliveredAt, due_at: dueAt, error }: DeliveryRow) {
  if (held) return 'held';
  if (deliveredAt) return 'delivered';
  if (dueAt) return 'waiting';
  if (error === TEST_FAILED) return 'failed';
  return error === 'not_configured' || error === 'rule_disabled' ? 'dropped' : 'given_up';
}

function channelOf({ addresses, webhook }: Pick<EnvironmentRule, 'addresses' | 'webhook'>) {
  if (!webhook) return 'email';
  return addresses.length > 0 ? 'email and webhook' : 'webhook';
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}
