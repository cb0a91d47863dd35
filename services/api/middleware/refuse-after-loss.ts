import type { Middleware } from 'koa';
import { unavailable } from '../../../libs/errors/request-error.ts';
import { describeLoss } from '../../../libs/store/maintenance/lost-writes.ts';
import type { LossWatch } from '../../../libs/service/loss-watch.ts';

const READS = new Set(['GET', 'HEAD', 'LIST', 'OPTIONS']);

/** If acknowledged changes were lost, refuses every change until an operator has decided what to do about the loss. */
export function refuseAfterLoss(loss: LossWatch): Middleware {
  return async (ctx, next) => {
    if (loss.isRefusing() && !READS.has(ctx.method))
      throw unavailable(
        `${describeLoss(loss.present())}; changes are refused until an operator decides (sealift recover lost-writes); nothing was done`,
      );
    await next();
  };
}
