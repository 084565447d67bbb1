import type { Viewer } from '../access/viewer.ts';

/** Who changes an entity: a person, a key, or a workflow by one of its executions. */
export interface Author {
  type: 'user' | 'apiKey' | 'execution';
  id: string;
}

export function authorOf(viewer: Viewer): Author {
  switch (viewer.kind) {
    case 'user':
      return { type: 'user', id: viewer.userId };
    case 'apiKey':
      return { type: 'apiKey', id: viewer.apiKeyId };
    case 'execution':
      return { type: 'execution', id: viewer.executionId };
  }
}
