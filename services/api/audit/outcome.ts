import type { ServerResponse } from 'node:http';
import type { Middleware } from 'koa';
import type { AuditOutcome, NewAuditEvent } from '../../../libs/store/audit/events.ts';
import type { ApiServices } from '../services.ts';
import { describeRefusal, refusalKind } from './refusal-kind.ts';

/** `action`: what was done to the secret; `secret`: mount and path. */
export type AuditedSecret = { action: string; secret: string };

/** What a request tells about its own audit entry. */
export type AuditState = {
  /** Absent: the request leaves no entry. */
  auditEntry?: number | undefined;
  /** Names that the entry gets, never a value. */
  auditedNames?: Record<string, unknown>;
  /** What the entry began with. */
  auditEvent?: NewAuditEvent;
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
        auditedSecrets = [],
      } = ctx.state as AuditState;
      const kind = refusalKind(ctx);
      if (kind) metrics.refusals.inc({ kind });
      if (kind && id === undefined) trail.refused(describeRefusal(ctx, kind));
      if (id !== undefined) {
        const { status } = ctx;
        const secret = typeof auditedNames?.['secret'] === 'string' ? auditedNames['secret'] : null;
        whenAnswered(ctx.res, (answer) => {
          const detail = answer === 'sent' ? auditedNames : { ...auditedNames, answer };
          const sent = answer === 'not sent' ? null : status;
          trail.end({ id, outcome: outcomeOf(status), status: sent, detail, secret });
          if (!auditEvent) return;
          for (const { action, secret: path } of auditedSecrets)
            trail.add({ ...auditEvent, action, secret: path, outcome: 'succeeded', status: sent });
        });
      }
    }
  };
}

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
