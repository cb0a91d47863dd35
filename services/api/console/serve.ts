import type { Context as KoaContext, Middleware } from 'koa';
import type { Config } from '../../../libs/config/config.ts';
import { readAssets, type Asset } from './assets.ts';

/** Allows scripts, styles, images and addresses of our own only, and no HTML that is made from text. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const HEADERS = {
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'clipboard-read=(), camera=(), geolocation=(), microphone=()',
};

/**
 * Serves the web console below `/ui/` and redirects a browser from `/` to it. Must run before all middleware that reads
 * the database: the page must load when the database is away, so that it can say so. A path without a file gets the
 * page itself, which does its own routing.
 */
export function serveConsole({ CONSOLE }: Pick<Config, 'CONSOLE'>): Middleware {
  const assets = CONSOLE === 'on' ? readAssets() : new Map<string, Asset>();
  const page = assets.get('index.html');
  return (ctx, next) => {
    if (!page || !['GET', 'HEAD'].includes(ctx.method)) return next();
    if (ctx.path === '/ui' || (ctx.path === '/' && wantsPage(ctx))) return ctx.redirect('/ui/');
    if (!ctx.path.startsWith('/ui/')) return next();
    ctx.state['route'] = 'GET /ui/*';
    const name = ctx.path.slice('/ui/'.length);
    const asset = assets.get(name);
    // A file of an older version. A browser would take the page for a script if we sent it instead.
    if (!asset && name.startsWith('assets/')) return void (ctx.status = 404);
    return send(ctx, asset ?? page);
  };
}

function wantsPage(ctx: KoaContext): boolean {
  return ctx.get('accept').includes('text/html');
}

function send(ctx: KoaContext, asset: Asset): void {
  ctx.set(HEADERS);
  ctx.set('Content-Type', asset.type);
  ctx.vary('Accept-Encoding');
  if (asset.isHashed) ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
  const encoding = ctx.acceptsEncodings('br', 'gzip', 'identity');
  if (encoding === 'br' && asset.br) return write(ctx, 'br', asset.br);
  if (encoding === 'gzip' && asset.gzip) return write(ctx, 'gzip', asset.gzip);
  ctx.body = asset.plain;
}

function write(ctx: KoaContext, encoding: string, body: Buffer): void {
  ctx.set('Content-Encoding', encoding);
  ctx.body = body;
}
