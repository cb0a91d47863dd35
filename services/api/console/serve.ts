import type { Context as KoaContext, Middleware } from 'koa';
import type { Config } from '../../../libs/config/config.ts';
import { readAssets, type Asset } from './assets.ts';

/** No script, style, image or address but our own; no HTML is made from text. */
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
 * Serves the web console below `/ui/`, and leads a browser at `/` there. Before everything that asks the database: the
 * page must come when that is away, to say so. Any path without a file is the page itself, which finds its own way.
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
    // A part of a version that is gone: the page in its place would be taken for a script.
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
