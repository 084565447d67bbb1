import type { RequestHandler } from 'express';
import { networkOf } from '../../domain/access/network.ts';
import type { RequestRates } from '../limits/requestRates.ts';
import type { Stage } from './stage.ts';

/** Runs before any lookup; health and documentation are not counted. */
export function addressRate(rates: RequestRates): RequestHandler {
  return async (request, response, next) => {
    await rates(response, 'address', networkOf(request.ip ?? ''));
    next();
  };
}

/** Holds a place until the connection ends. Runs before the operation, which may begin a turn. */
export const streamPlace: Stage = async ({ caller, route, response, streamPlaces }, next) => {
  if (caller && route.isStream && !response.destroyed) response.once('close', streamPlaces.take(caller));
  return next();
};

/** Counts by caller, and for webhooks by workflow. An event stream counts once, at its start. */
export const rate: Stage = async ({ caller, route, request, response, rates }, next) => {
  if (caller) await rates(response, 'caller', caller.kind === 'user' ? caller.sessionId : caller.apiKeyId);
  else if (route.takesRawBody) await rates(response, 'webhook', String(request.params.workflowId).toLowerCase());
  return next();
};
