import type { ServerResponse } from 'node:http';
import type { Middleware } from 'koa';
import type { AuditOutcome, AuditSecret, NewAuditEvent } from '../../../libs/store/audit/events.ts';
import { endOf } from '../../../libs/telling/outcome.ts';
import type { AuditedSecret } from '../routing/endpoint.ts';
import type { ApiServices } from '../services.ts';
import { fitDetail } from './detail.ts';
import type { AuditTrail } from './trail.ts';
import { describeRefusedRequest, refusalKind } from './refusal-kind.ts';

/** What a request tells about its own audit entry. */
export type AuditState = {
  /** Absent: the request leaves no entry. */
  auditEntry?: number | undefined;
  /** Names that the entry gets, never a value. */
  auditedNames?: Record<string, unknown>;
  /** What the entry began with. */
  auditEvent?: NewAuditEvent;
  /** The secret of the request, if its path does not tell. */
  auditedSecret?: AuditSecret;
  /** Secrets of a request about many, with what became of each: each gets an entry too. */
  auditedSecrets?: AuditedSecret[];
};

/**
 * Adds the outcome to the entry of a request once its answer has left: the status that was sent. If the caller went away
 * before, `detail.answer` says so; the outcome still tells how the request itself ended. A refused request without an entry
 * is counted.
 */
export function recordOutcome({ audit: trail, metrics }: Pick<ApiServices, 'audit' | 'metrics'>): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } finally {
      const {
        auditEntry: id,
        auditEvent,
        auditedNames = null,
        auditedSecret = {},
        auditedSecrets = [],
      } = ctx.state as AuditState;
      const kind = refusalKind(ctx);
      if (kind) metrics.refusals.inc({ kind });
      if (kind && id === undefined) trail.refused(describeRefusedRequest(ctx, kind));
      if (id !== undefined) {
        const { status } = ctx;
        whenAnswered(ctx.res, (answer) => {
          const noted = answer === 'sent' ? auditedNames : { ...auditedNames, answer };
          const detail = noted && fitDetail(noted);
          const sent = answer === 'not sent' ? null : status;
          const outcome = endOf(outcomeOf(status), auditedNames);
          trail.end({ id, outcome, status: sent, detail, ...auditedSecret });
          if (!auditEvent) return;
          if (outcome === 'refused') trail.ownRefusals.take(auditEvent.accessor);
          for (const secret of auditedSecrets) tellSecret(trail, auditEvent, secret, sent);
        });
      }
    }
  };
}

// One secret of a request about many. Refused ones beyond the room for them are counted.
function tellSecret(
  trail: AuditTrail,
  event: NewAuditEvent,
  { isRefused, ...names }: AuditedSecret,
  status: number | null,
): void {
  const entry = { ...event, ...names };
  if (!isRefused) return trail.add({ ...entry, status, outcome: 'succeeded' });
  if (trail.ownRefusals.take(event.accessor)) return trail.add({ ...entry, status, outcome: 'refused' });
  const { namespace, path } = event;
  trail.refused({ ...entry, namespace, path, ...NO_SECRET, status, kind: 'refused_change' });
}

const NO_SECRET = { secret: null, mountId: null, secretPath: null };

type Answer = 'sent' | 'cut off' | 'not sent';

// At once if that is known already: a stopping process waits only for outcomes that were handed over.
function whenAnswered(response: ServerResponse, tell: (answer: Answer) => void): void {
  const conclude = (): void => {
    response.off('finish', conclude);
    response.off('close', conclude);
    tell(response.writableFinished ? 'sent' : response.headersSent ? 'cut off' : 'not sent');
  };
  if (response.writableFinished || response.closed || response.destroyed) return conclude();
  response.on('finish', conclude);
  response.on('close', conclude);
}

function outcomeOf(status: number): AuditOutcome {
  if (status < 400) return 'succeeded';
  return status < 500 ? 'refused' : 'failed';
}
