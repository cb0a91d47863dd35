import type { Middleware } from 'koa';
import type { RequestError } from '../../../libs/errors/request-error.ts';
import type { Context } from '../../../libs/service/context.ts';
import { loadCustomization } from '../../../libs/settings/customization.ts';
import { PAGE_HEADERS, refusalPage, wantsPage } from './page.ts';
import { loadDocument } from '../../../libs/settings/documents.ts';
import { samlSettings, type SamlSettings } from '../../../libs/settings/saml.ts';
import { samlAddresses } from '../presenters/settings.ts';
import { adviseOn } from './advice.ts';
import { RefusedLogin, RefusedTest, type LoginFault } from './refuse-login.ts';

type Services = Pick<Context, 'db' | 'keyring' | 'config'>;

/** Shows refusals as a page to a person who logs in with a browser. Programs get them unchanged. */
export function showRefusals(services: Services): Middleware {
  return async (ctx, next) => {
    await next();
    const { path = '', requestId } = ctx.state as { path?: string; requestId: string };
    if (ctx.status < 400 || !path.startsWith('users/saml/') || !wantsPage(ctx.get('accept'))) return;
    const refusal = ctx.state['refusal'] as RequestError | undefined;
    const errors = (refusal?.problems ?? []).map(({ detail }) => detail ?? '');
    const { status } = ctx;
    const texts = await loadCustomization(services);
    const isTest = refusal instanceof RefusedTest;
    const cause = isTest ? refusal.refusal : refusal;
    const { fault, reported } = cause instanceof RefusedLogin ? cause : {};
    ctx.body = refusalPage(errors, {
      texts,
      isTest,
      hasConsole: services.config.CONSOLE === 'on',
      code: refusal?.code,
      advice: isTest ? await adviceOn(services, fault) : '',
      reported,
      isMismatch: status === 401,
      isUnexpected: status >= 500,
      requestId,
    });
    ctx.status = status;
    ctx.type = 'text/html';
    ctx.set(PAGE_HEADERS);
  };
}

async function adviceOn(services: Services, fault: LoginFault | undefined): Promise<string> {
  const { attributes } = await loadDocument(services, samlSettings);
  return adviseOn(fault, attributes as SamlSettings, samlAddresses(services.config));
}
