import type { Viewer } from '../access/viewer.ts';

export interface Author {
  type: 'user' | 'apiKey' | 'execution';
  id: string;
}

export function authoringUser({ type, id }: Author): string | null {
  return type === 'user' ? id : null;
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
