import type { PublicOperation } from '../../operation.ts';
import { startByWebhook } from './startByWebhook.ts';

export const postWebhook: PublicOperation<'postWebhook'> = ({ params, ...request }) =>
  startByWebhook({ ...request, ...params });

export const getWebhook: PublicOperation<'getWebhook'> = ({ params, ...request }) =>
  startByWebhook({ ...request, ...params });
