import type { ServerResponse } from 'node:http';
import type { Middleware } from 'koa';
import type { AuditOutcome } from '../../../libs/store/audit/events.ts';
import type { ApiServices } from '../services.ts';

/** What a request tells about its own audit entry. */
export type AuditState = {
  /** Absent: the request leaves no entry. */
  auditEntry?: number | undefined;
  /** Names that the entry gets, never a value. */
  auditedNames?: Record<string, unknown>;
};

/**
 * Adds the outcome to the entry of a request once its answer has left: the status that was sent. If the caller went away
 * before, `detail.answer` says so; the outcome still tells how the request itself ended.
 */
export function recordOutcome({ audit: trail }: Pick<ApiServices, 'audit'>): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } finally {
      const { auditEntry: id, auditedNames = null } = ctx.state as AuditState;
      if (id !== undefined) {
        const { status } = ctx;
        const secret = typeof auditedNames?.['secret'] === 'string' ? auditedNames['secret'] : null;
        whenAnswered(ctx.res, (answer) => {
          const detail = answer === 'sent' ? auditedNames : { ...auditedNames, answer };
          const sent = answer === 'not sent' ? null : status;
          trail.end({ id, outcome: outcomeOf(status), status: sent, detail, secret });
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
