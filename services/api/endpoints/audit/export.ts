import { Readable } from 'node:stream';
import type { AuditEvent } from '../../../../libs/store/audit/events.ts';
import { listAuditEvents, type AuditFilters } from '../../../../libs/store/audit/list.ts';
import { toldText } from '../../../../libs/telling/sentence.ts';
import { findDestinationType } from '../../../connectors/catalog.ts';
import { presentAuditEvent } from '../../presenters/audit-event.ts';
import { formSchemas } from '../schemas/schemas.ts';
import type { Reply } from '../../routing/endpoint.ts';
import type { ApiServices } from '../../services.ts';
import { csvLine } from './csv.ts';

// One page in memory at a time; the next one is read when the client has taken this one.
const PAGE = 500;
// Without it, Excel takes the letters for those of another encoding.
const BYTE_ORDER_MARK = '\ufeff';
// JSON allows them, but some readers of lines take them for ends of lines.
const LINE_ENDS = /[\u0085\u2028\u2029]/g;

type Format = 'csv' | 'jsonl';

type Wanted = { filters: AuditFilters; before: number | undefined; format: Format };

const TYPES = { csv: 'text/csv; charset=utf-8; header=present', jsonl: 'application/jsonl; charset=utf-8' };

const COLUMNS = [
  'at',
  'user',
  'actor',
  'sentence',
  'outcome',
  'accessor',
  'auth-method',
  'policies',
  'address',
  'namespace',
  'action',
  'path',
  'secret',
  'status',
  'request-id',
  'detail',
  'id',
] as const;

/** All matching events, newest first, as a file. If it breaks off, `page[after]` with the last id continues it. */
export function exportEvents(services: Pick<ApiServices, 'db' | 'config'>, wanted: Wanted): Reply<never> {
  const { format } = wanted;
  return {
    status: 200,
    plain: { type: TYPES[format], body: Readable.from(textOf(services, wanted), { objectMode: false }) },
    headers: { 'Content-Disposition': `attachment; filename="audit-events.${format}"` },
  };
}

async function* textOf(
  { db, config }: Pick<ApiServices, 'db' | 'config'>,
  { filters, before, format }: Wanted,
) {
  const forms = formSchemas(config, '');
  const lineOf = format === 'csv' ? csvOf : jsonOf;
  if (format === 'csv') yield BYTE_ORDER_MARK + csvLine([...COLUMNS]);
  let next: number | null | undefined = before;
  while (next !== null) {
    const page = await listAuditEvents(db, filters, { limit: PAGE, before: next });
    if (page.events.length > 0)
      yield page.events.map((event) => lineOf(event, toldText(event, nameOf, forms))).join('');
    next = page.next;
  }
}

function jsonOf(event: AuditEvent, sentence: string): string {
  const { id, attributes } = presentAuditEvent(event);
  return `${JSON.stringify({ id, ...attributes, sentence }).replaceAll(LINE_ENDS, escaped)}\n`;
}

// As the console names it.
function nameOf(type: string, name: string): string {
  const title = findDestinationType(type)?.title;
  return title === undefined ? name : `${name} (${title})`;
}

function escaped(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function csvOf(event: AuditEvent, sentence: string): string {
  const { id, attributes } = presentAuditEvent(event);
  const { policies, detail, ...others } = attributes;
  const cells = {
    id,
    ...others,
    policies: policies?.join(' ') ?? null,
    detail: detail === null ? null : JSON.stringify(detail),
    sentence,
  };
  return csvLine(COLUMNS.map((name) => cells[name]));
}
