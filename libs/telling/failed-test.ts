import { counted } from '../collections/counted.ts';

type Detail = Record<string, unknown>;

/**
 * What a test of a connection or of an alert rule found, from the detail of its entry: "credentials refused". Undefined
 * if nothing failed.
 */
export function failedTest(detail: Detail | null | undefined): string | undefined {
  const tested = detail?.['tested'];
  if (Array.isArray(tested)) return unreached(tested as { ok?: unknown }[]);
  if (typeof tested !== 'object' || tested === null) return undefined;
  const { ok: isOk, cause } = tested as Detail;
  if (isOk !== false) return undefined;
  return typeof cause === 'string' ? cause.replaceAll('_', ' ') : 'it failed';
}

function unreached(recipients: { ok?: unknown }[]): string | undefined {
  const failed = recipients.filter(({ ok: isOk }) => isOk === false).length;
  return failed === 0 ? undefined : `${failed} of ${counted(recipients.length, 'message')} failed`;
}
