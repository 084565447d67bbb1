import type { RequestHandler } from 'express';
import helmet from 'helmet';

const ALLOWED_HEADERS =
  'Authorization, X-API-Key, Content-Type, Idempotency-Key, X-Request-Id, Last-Event-ID, X-Webhook-Secret, Mcp-Session-Id, Mcp-Protocol-Version';
const EXPOSED_HEADERS =
  'X-Request-Id, ETag, Link, Idempotency-Replayed, X-Execution-Id, X-Turn-Attached, Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate, Mcp-Session-Id';
const METHODS = 'GET, POST, PUT, PATCH, DELETE';

/** Security headers of every answer; /docs relaxes the policy. Only PUBLIC_URL tells whether https is used. */
export function securityHeaders(publicUrl: string | undefined): RequestHandler {
  const protect = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    frameguard: { action: 'deny' },
    strictTransportSecurity: publicUrl?.startsWith('https:') ? { includeSubDomains: false } : false,
  });
  return (request, response, next) => {
    response.setHeader('cache-control', 'no-store');
    protect(request, response, next);
  };
}

export function crossOrigin(allowedOrigins: readonly string[]): RequestHandler {
  const allowed = new Set(allowedOrigins);
  return (request, response, next) => {
    const { origin } = request.headers;
    if (allowed.size > 0) response.vary('Origin');
    if (origin === undefined || !allowed.has(origin)) return next();
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-expose-headers', EXPOSED_HEADERS);
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return next();
    response.setHeader('access-control-allow-methods', METHODS);
    response.setHeader('access-control-allow-headers', ALLOWED_HEADERS);
    response.setHeader('access-control-max-age', '600');
    response.status(204).end();
  };
}
