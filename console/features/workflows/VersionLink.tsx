import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Search } from '../../ui/search.ts';

interface VersionLinkProps {
  workflowId: string;
  /** Of the page now. */
  search: Search;
  /** Whose graph is shown; none where absent. */
  version?: number;
  children?: ReactNode;
}

/** A link that opens the graph of a version. */
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
