import type { RequestHandler } from 'express';
import { Problem } from '../../domain/problem.ts';

/** A name or an address, with an optional port and without other parts of a URL (user, path, query). */
const HOST = /^[^\s/?#@\\]+$/;

/** Refuses invalid Host headers first, because links are built from them. */
export const knownHost: RequestHandler = ({ headers: { host }, rawHeaders, httpVersion }, _response, next) => {
  const names = rawHeaders.filter((_, index) => index % 2 === 0);
  if (names.filter((name) => name.toLowerCase() === 'host').length > 1) {
    // A proxy may have used the other one (RFC 9112, 3.2).
    throw new Problem('VALIDATION_FAILED', 'The header Host is given more than once', {
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

/** An absolute URL, as sent to a proxy (RFC 9112, 3.2.2), overrides the header. */
export const originForm: RequestHandler = (request, _response, next) => {
  const [, host, rest] = ABSOLUTE.exec(request.url) ?? [];
  if (host !== undefined && rest !== undefined) {
    request.headers.host = host;
    request.url = rest.startsWith('/') ? rest : `/${rest}`;
    request.originalUrl = request.url;
  }
  next();
};
