import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { type Request, type Response, Router } from 'express';
import type { Config } from '../config.ts';
import { PROJECT_ROOT } from '../projectRoot.ts';
import { pagePolicy } from './pagePolicy.ts';

const BUILT = join(PROJECT_ROOT, 'dist/console');

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

const ENCODINGS = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
];

interface Asset {
  type: string;
  plain: Buffer;
  packed: Map<string, Buffer>;
  /** Its name changes with its content. */
  isImmutable: boolean;
}

/** Serves the console's files, and one page for every path below /console; nothing if it is off or was not built. */
export function consoleRouter({
  CONSOLE,
  PUBLIC_URL,
  SMTP_URL,
  WEBHOOK_URL = '',
}: Pick<Config, 'CONSOLE' | 'PUBLIC_URL' | 'SMTP_URL' | 'WEBHOOK_URL'>): Router {
  const router = Router();
  if (CONSOLE !== 'on' || !existsSync(join(BUILT, 'index.html'))) return router;
  const built = readFileSync(join(BUILT, 'index.html'), 'utf8');
  const page = built
    .replace('__SENDS_MAIL__', SMTP_URL === undefined ? 'no' : 'yes')
    .replace('__WEBHOOK_URL__', WEBHOOK_URL);
  const assets = readAssets(join(BUILT, 'assets'));
  router.get('/console/assets/:name', (request, response, next) => {
    const asset = assets.get(String(request.params.name));
    if (asset === undefined) return next();
    sendAsset(asset, request, response);
  });
  // A path with a dot is a missing file.
  router.get(/^\/console(\/[^.]*)?$/, (request, response) => {
    if (request.path === '/console') return response.redirect(308, '/console/');
    const files = filesOf(PUBLIC_URL, request.get('host'));
    const nonce = randomBytes(16).toString('base64');
    response.setHeader(
      'content-security-policy',
      `${pagePolicy({ styles: `${files} 'nonce-${nonce}'`, fonts: files, files })}; worker-src ${files}`,
    );
    response.setHeader('permissions-policy', 'camera=(), microphone=(), geolocation=()');
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(page.replaceAll('__NONCE__', nonce));
  });
  router.get('/', (request, response, next) => {
    response.vary('Accept');
    if (request.accepts(['json', 'html']) !== 'html') return next();
    response.redirect(302, '/console/');
  });
  // Without CLIENT_URL, OAuth2 providers redirect to this address without the console's path.
  router.get('/connections', (request, response) => response.redirect(302, `/console${request.url}`));
  return router;
}

const HOST = /^[a-z0-9.-]+(:\d+)?$/i;

/** Not `'self'`: webhooks share the origin, and their answers would be scripts. A policy names no IPv6 address. */
function filesOf(publicUrl: string | undefined, host = ''): string {
  const hosts = new Set([...(publicUrl === undefined ? [] : [new URL(publicUrl).host]), host]);
  const named = [...hosts].filter((each) => HOST.test(each)).map((each) => `${each}/console/assets/`);
  return named.length === 0 ? "'self'" : named.join(' ');
}

function sendAsset({ type, plain, packed, isImmutable }: Asset, request: Request, response: Response): void {
  const encoding = [...packed.keys()].find((each) => request.acceptsEncodings(each) !== false);
  response.setHeader('content-type', type);
  response.setHeader('cache-control', isImmutable ? 'public, max-age=31536000, immutable' : 'public, max-age=300');
  response.vary('Accept-Encoding');
  if (encoding !== undefined) response.setHeader('content-encoding', encoding);
  response.end((encoding === undefined ? undefined : packed.get(encoding)) ?? plain);
}

/** Kept in memory: some hundred kilobytes, and no request names a file. */
function readAssets(folder: string): Map<string, Asset> {
  const names = readdirSync(folder);
  const read = (name: string) => readFileSync(join(folder, name));
  return new Map(
    names
      .filter((name) => TYPES[extname(name)] !== undefined)
      .map((name) => {
        const there = ENCODINGS.filter(({ suffix }) => names.includes(name + suffix));
        const packed = new Map(there.map((encoding) => [encoding.name, read(name + encoding.suffix)]));
        const isImmutable = /-[\w-]{8}\.\w+$/.test(name);
        return [name, { type: TYPES[extname(name)] ?? '', plain: read(name), packed, isImmutable }];
      }),
  );
}
