import type { JsonObject } from '../../../domain/json.ts';
import { Problem } from '../../../domain/problem.ts';
import { NotEmbedded } from '../../../engine/knowledge/embedders.ts';
import { searchKnowledge as search } from '../../../engine/knowledge/searchKnowledge.ts';
import type { Operation } from '../../operation.ts';

export const searchKnowledge: Operation<'searchKnowledge'> = async ({
  caller,
  params,
  body,
  reading,
  services,
  signal,
}) => {
  const { workspaceId } = caller;
  const { filter, ...asked } = body;
  try {
    const query = { ...asked, ...params, workspaceId, signal, reading, filter: filter as JsonObject | undefined };
    const { results, mode, embeddingFailure } = await search(services, query);
    if (!embeddingFailure) return { results, mode };
    const { code, message } = embeddingFailure;
    services.log.warn({ workspaceId, ...params, code, message }, 'a search used only words, not vectors');
    return { results, mode, embeddingFailure: { code, message } };
  } catch (error) {
    if (!(error instanceof NotEmbedded)) throw error;
    const { code, message, retryAfterMs } = error.failure;
    throw new Problem('EMBEDDING_FAILED', message, {
      members: { reason: code },
      ...(retryAfterMs === undefined ? {} : { retryAfter: Math.ceil(retryAfterMs / 1_000) }),
      cause: error,
    });
  }
};
