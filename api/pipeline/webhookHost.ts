import type { RequestHandler } from 'express';
import type { Config } from '../../config.ts';
import { Problem } from '../../domain/problem.ts';

const WEBHOOKS = '/api/webhooks/workflows/';

/** Separates webhooks from everything else by the Host of a request, if webhooks have their own origin. */
export interface WebhookHost {
  /** Refuses requests to this path through the other origin. */
  guard(path: string): RequestHandler;
  /** Hides the pages of this server on the origin of webhooks. */
  outside(pages: RequestHandler): RequestHandler;
}

/** Answers of workflows may be scripts there, so none of our pages may share the origin. */
export function webhookHost({ WEBHOOK_URL }: Pick<Config, 'WEBHOOK_URL'>): WebhookHost {
  const isThere = hostTest(WEBHOOK_URL);
  if (isThere === undefined) return { guard: () => (_request, _response, next) => next(), outside: (pages) => pages };
  return {
    guard(path) {
      const isWebhook = path.startsWith(WEBHOOKS);
      return ({ headers: { host } }, _response, next) => {
        if (isThere(host) !== isWebhook) throw isWebhook ? elsewhere() : notHere();
        next();
      };
    },
    outside: (pages) => (request, response, next) =>
      isThere(request.headers.host) ? next() : pages(request, response, next),
  };
}

function hostTest(webhookUrl: string | undefined): ((host: string | undefined) => boolean) | undefined {
  if (webhookUrl === undefined) return undefined;
  const { host: own, protocol } = new URL(webhookUrl);
  // The default port of the scheme is optional.
  return (host) => host !== undefined && new URL(`${protocol}//${host}`).host === own;
}

function elsewhere(): Problem {
  return new Problem('NOT_FOUND', 'Webhooks have their own host: WEBHOOK_URL of the deployment');
}

function notHere(): Problem {
  return new Problem('NOT_FOUND', 'This host serves only webhooks');
}
