import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

type Asset = { type: string; body: string | Buffer };

const require = createRequire(import.meta.url);

/** The page sends requests to this service only, and runs no scripts except its own. */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The viewer's page; everything it loads is an asset below. */
export const docsPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Sealift API</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
    <script src="/docs/swagger-ui-bundle.js" defer></script>
    <script src="/docs/start.js" defer></script>
  </head>
  <body>
    <div id="viewer"><noscript>The document itself is at <a href="/openapi.json">/openapi.json</a>.</noscript></div>
  </body>
</html>
`;

// Without `validatorUrl: null`, the viewer would send the document to a server of its makers for validation.
const START = `window.addEventListener('load', () => {
  SwaggerUIBundle({
    url: '/openapi.json',
    dom_id: '#viewer',
    deepLinking: true,
    docExpansion: 'none',
    persistAuthorization: false,
    validatorUrl: null,
  });
});
`;

const FROM_PACKAGE: Record<string, { type: string; locate: () => string }> = {
  'swagger-ui.css': { type: 'text/css', locate: () => require.resolve('swagger-ui-dist/swagger-ui.css') },
  'swagger-ui-bundle.js': {
    type: 'text/javascript',
    locate: () => require.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
  },
  'favicon-32x32.png': {
    type: 'image/png',
    locate: () => require.resolve('swagger-ui-dist/favicon-32x32.png'),
  },
};

const read = new Map<string, Asset>();

/** A file of the page; undefined for an unknown name. */
export async function readAsset(name: string): Promise<Asset | undefined> {
  if (name === 'start.js') return { type: 'text/javascript', body: START };
  const known = Object.hasOwn(FROM_PACKAGE, name) ? FROM_PACKAGE[name] : undefined;
  if (!known) return undefined;
  const asset = read.get(name) ?? { type: known.type, body: await readFile(known.locate()) };
  read.set(name, asset);
  return asset;
}
