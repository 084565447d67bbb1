import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { SearchOf } from '../../ui/search.ts';

interface VersionLinkProps {
  workflowId: string;
  search: SearchOf<'/frame/workflows/$workflowId'>;
  /** The version whose graph is shown; absent: closes the graph. */
  version?: number;
  children?: ReactNode;
}

export function VersionLink({ workflowId, search, version, ...props }: VersionLinkProps) {
  const graph = version === undefined ? undefined : String(version);
  return (
    <Link
      to="/workflows/$workflowId"
      params={{ workflowId }}
      search={{ ...search, tab: 'versions', graph, node: undefined }}
      resetScroll={false}
      {...props}
    />
  );
}
