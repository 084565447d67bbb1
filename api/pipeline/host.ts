import type { RequestHandler } from 'express';
import { Problem } from '../../domain/problem.ts';

/** A name or an address, with or without a port, and without other parts of a URL (user, path, query). */
const HOST = /^[^\s/?#@\\]+$/;

/** Refuses an invalid Host header first, because links are built from it. */
export const knownHost: RequestHandler = ({ headers: { host }, rawHeaders, httpVersion }, _response, next) => {
  const names = rawHeaders.filter((_, index) => index % 2 === 0);
  if (names.filter((name) => name.toLowerCase() === 'host').length > 1) {
    // Of two, a proxy may have looked at the other (RFC 9112, 3.2).
    throw new Problem('VALIDATION_FAILED', 'The header Host stands there more than once', {
      errors: [{ path: 'Host', message: 'expected one header' }],
    });
  }
  const isFine = host === undefined ? httpVersion === '1.0' : HOST.test(host) && URL.canParse(`http://${host}`);
  if (isFine) return next();
  throw new Problem('VALIDATION_FAILED', 'The header Host is missing, or is neither a name nor an address', {
    errors: [{ path: 'Host', message: 'expected a host, with or without a port' }],
  });
};

const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i;

/** A request to a whole URL, as to a proxy (RFC 9112, 3.2.2): its host counts before the header's. */
export const originForm: RequestHandler = (request, _response, next) => {
  const [, host, rest] = ABSOLUTE.exec(request.url) ?? [];
  if (host !== undefined && rest !== undefined) {
    request.headers.host = host;
    request.url = rest.startsWith('/') ? rest : `/${rest}`;
    request.originalUrl = request.url;
  }
  next();
};
