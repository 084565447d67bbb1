import type { Viewer } from '../access/viewer.ts';

/** Who changes an entity: a person, a key, or a workflow by one of its executions. */
export interface Author {
  type: 'user' | 'apiKey' | 'execution';
  id: string;
}

export function authorOf(viewer: Viewer): Author {
  return viewer.kind === 'user' ? { type: 'user', id: viewer.userId } : { type: 'apiKey', id: viewer.apiKeyId };
}
