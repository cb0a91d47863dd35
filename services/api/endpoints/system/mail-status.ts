import { LRUCache } from 'lru-cache';
import { skipped, type Finding } from '../../../../libs/service/diagnosis/finding.ts';
import { examineMail } from '../../../../libs/service/diagnosis/mail.ts';
import { findSettings } from '../../../../libs/store/settings/settings.ts';
import { smtpSettings } from '../../../../libs/settings/smtp.ts';
import { withTimeout } from '../../../../libs/time/with-timeout.ts';
import type { ApiServices } from '../../services.ts';

// Mail servers count log-ins, and a page may ask for the status every few seconds.
const FRESH_MS = 30_000;
const LIMIT_MS = 1500;
const kept = new LRUCache<ApiServices['db'], { revision: number; findings: Promise<Finding[]> }>({
  max: 4,
  ttl: FRESH_MS,
});

/** What the mail server answers, looked at once in a while and after a change of its settings. */
export async function examineMailSparingly(services: ApiServices): Promise<Finding[]> {
  const { revision = 0 } = (await findSettings(services.db, smtpSettings.kind)) ?? {};
  let known = kept.get(services.db);
  if (known?.revision !== revision) {
    known = { revision, findings: examineMail(services) };
    known.findings.catch(() => kept.delete(services.db));
    kept.set(services.db, known);
  }
  const late = [skipped('mail', 'the mail server has not answered yet')];
  return withTimeout(LIMIT_MS, known.findings).catch(() => late);
}
