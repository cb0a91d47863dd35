import type { Static } from 'typebox';
import { Type } from 'typebox';
import { listSetting, type Config } from '../../../../libs/config/config.ts';
import { checkUrl } from '../../../../libs/egress/guard.ts';
import { badRequest } from '../../../../libs/errors/request-error.ts';
import { isEmailAddress } from '../../../../libs/settings/addresses.ts';
import { MASK } from '../../../../libs/settings/redact.ts';
import type { AlertSecrets, AlertSettings } from '../../../../libs/store/notifications/rules.ts';
import { areEndless, isTimeZone } from '../../../../libs/time/quiet-hours.ts';
import { alertDefaults, alertFields } from '../../alert-fields.ts';

const LEAST_SECRET = 16;

export const alertBody = Type.Object(alertFields);

/** A rule that was checked. */
export type AlertDocument = { enabled: boolean; settings: AlertSettings; secrets: AlertSecrets | null };

/**
 * The rule that fields make of the present one, or a new one. Absent fields keep their values, as do secrets that are sent
 * as their mask. Throws 400 with all that is wrong.
 */
export function composeAlert(
  body: Static<typeof alertBody>,
  present: AlertDocument | undefined,
  config: Pick<Config, 'EGRESS_ALLOW'>,
): AlertDocument {
  const { url, secret, ...given } = body;
  const { enabled, ...fields } = { ...alertDefaults, ...present?.settings, ...enabledOf(present), ...given };
  const settings = tidy(fields);
  const isWebhook = settings.channel === 'webhook';
  const kept = present?.secrets ?? { url: '', secret: '' };
  const secrets = isWebhook
    ? { url: orKept(url?.trim(), kept.url), secret: orKept(secret, kept.secret) }
    : null;
  const faults = [
    ...(isWebhook && secrets ? webhookFaults(secrets, config) : addressFaults(settings.addresses)),
    ...listFaults(settings),
    ...quietFaults(settings),
    ...mutedFaults(settings),
  ];
  if (faults.length > 0) throw badRequest(...faults);
  return { enabled, settings, secrets };
}

function enabledOf(present: AlertDocument | undefined): { enabled?: boolean } {
  return present ? { enabled: present.enabled } : {};
}

function tidy(fields: AlertSettings): AlertSettings {
  const unique = (list: string[]): string[] => [...new Set(list.map((item) => item.trim()).filter(Boolean))];
  return {
    channel: fields.channel,
    addresses: fields.channel === 'webhook' ? [] : unique(fields.addresses),
    happenings: unique(fields.happenings),
    minutes: fields.minutes,
    resolved: fields.resolved,
    muted_until: toTime(fields.muted_until ?? ''),
    causes: unique(fields.causes),
    destinations: unique(fields.destinations),
    namespaces: unique(fields.namespaces).map(toNamespacePattern),
    quiet_from: fields.quiet_from,
    quiet_to: fields.quiet_to,
    quiet_days: unique(fields.quiet_days),
    quiet_time_zone: fields.quiet_time_zone.trim(),
  };
}

// What is no time is refused as it stands.
function toTime(text: string): string {
  const time = new Date(text.trim());
  return Number.isNaN(time.getTime()) ? text.trim() : time.toISOString();
}

function mutedFaults({ muted_until: until = '' }: AlertSettings): string[] {
  const isTime = until === '' || /^\d{4}-\d\d-\d\dT.*Z$/.test(until);
  return isTime ? [] : ['muted_until must be a time such as 2027-01-31T08:00:00Z'];
}

// The path of a namespace ends with a slash, and its own path is nothing else.
function toNamespacePattern(pattern: string): string {
  if (pattern === '/' || pattern.endsWith('*')) return pattern;
  return `${pattern.replace(/^\/+|\/+$/g, '')}/`;
}

// A form sends the mask, or nothing, for what nobody has typed.
function orKept(given: string | undefined, kept: string): string {
  return given === undefined || given === '' || given === MASK ? kept : given;
}

function addressFaults(addresses: string[]): string[] {
  if (addresses.length === 0) return ['addresses is required: enter at least one email address'];
  return addresses
    .filter((address) => !isEmailAddress(address))
    .map(
      (address) =>
        `addresses: ${quote(address)} is not ${/[<>]/.test(address) ? 'a plain email address: leave out the name and the brackets' : 'an email address'}`,
    );
}

function webhookFaults({ url, secret }: AlertSecrets, config: Pick<Config, 'EGRESS_ALLOW'>): string[] {
  const fault = checkUrl(url, { egressAllow: listSetting(config.EGRESS_ALLOW) });
  return [
    ...(url === ''
      ? ['url is required']
      : !URL.canParse(url)
        ? ['url must be a full address, such as https://hooks.example/abc']
        : fault === null
          ? []
          : [`url: ${fault}`]),
    ...(secret === ''
      ? ['secret: a webhook needs a secret: openssl rand -base64 32 makes one']
      : secret.length < LEAST_SECRET
        ? [`secret must have at least ${LEAST_SECRET} characters, such as openssl rand -base64 32 makes`]
        : []),
    ...(hasControls(secret) ? ['secret must not contain line breaks or other control characters'] : []),
    ...(secret.startsWith('whsec_') &&
    !/^whsec_(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(secret)
      ? ['secret must have base64 after whsec_']
      : []),
  ];
}

function listFaults({ causes, destinations, namespaces }: AlertSettings): string[] {
  return [
    ...causes
      .filter((cause) => !/^\w+$/.test(cause))
      .map((cause) => `causes: ${quote(cause)} is not the code of a cause`),
    ...destinations
      .filter((one) => hasControls(one) || !/^[^/]*(?:\/|\*)[^/]*$/.test(one))
      .map(
        (one) =>
          `destinations: ${quote(one)} is not a destination: write type/name, in which * stands for any characters`,
      ),
    ...namespaces.filter(hasControls).map((one) => `namespaces: ${quote(one)} is not a path`),
  ];
}

function quietFaults(settings: AlertSettings): string[] {
  const { quiet_from: from, quiet_to: to, quiet_time_zone: zone, quiet_days: days } = settings;
  const isNone = from === '' && to === '';
  if (isNone && days.length === 0 && zone === '') return [];
  return [
    ...(from === '' ? ['quiet_from is required: enter the time when the quiet hours begin'] : []),
    ...(to === '' ? ['quiet_to is required: enter the time when the quiet hours end'] : []),
    ...(isTimeZone(zone)
      ? []
      : [
          `quiet_time_zone ${zone === '' ? 'is required: enter a time zone' : 'must be a time zone of the IANA database'}, such as Europe/Berlin`,
        ]),
    ...(areEndless(settings) ? ['quiet_to must leave some time that is not quiet'] : []),
  ];
}

function hasControls(text: string): boolean {
  return /[\p{Cc}\p{Cs}]/u.test(text);
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}
