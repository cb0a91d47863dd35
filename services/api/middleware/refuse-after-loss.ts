import type { Middleware } from 'koa';
import { unavailable } from '../../../libs/errors/request-error.ts';
import type { LossWatch } from '../../../libs/service/loss-watch.ts';

const READS = new Set(['GET', 'HEAD', 'LIST', 'OPTIONS']);

/** Takes no change where acknowledged ones were lost, until somebody has decided what is to become of them. */
export function refuseAfterLoss(loss: LossWatch): Middleware {
  return async (ctx, next) => {
    if (loss.isRefusing() && !READS.has(ctx.method))
      throw unavailable(
        'a failover of the database lost changes; none is taken until an operator has decided (sealift recover lost-writes); nothing was done',
      );
    await next();
  };
}
