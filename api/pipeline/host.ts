import type { RequestHandler } from 'express';
import { Problem } from '../../domain/problem.ts';

/** A name or an address, with or without a port; what a URL takes further (user, path, query) is none. */
const HOST = /^[^\s/?#@\\]+$/;

/** Links are made with the host by which the caller came: one that is none is refused before any of them. */
export const knownHost: RequestHandler = ({ headers: { host }, httpVersion }, _response, next) => {
  const isFine = host === undefined ? httpVersion === '1.0' : HOST.test(host) && URL.canParse(`http://${host}`);
  if (isFine) return next();
  throw new Problem('VALIDATION_FAILED', 'The header Host is missing, or is neither a name nor an address', {
    errors: [{ path: 'Host', message: 'expected a host, with or without a port' }],
  });
};
