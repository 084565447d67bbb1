import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Search } from '../../ui/search.ts';
import type { Permission } from '../api/me.ts';

/** The parameter with which the address of a page opens its form for a new thing. */
const OPEN: Search = { new: 'true' };

interface NewForm {
  label: string;
  to: string;
  needs: Permission;
  search?: Search;
}

const NEW_FORMS: readonly NewForm[] = [
  { label: 'New workflow', to: '/workflows/new', needs: 'workflows:write' },
  { label: 'Start from a template', to: '/templates', needs: 'workflows:write' },
  { label: 'New queue', to: '/queues', needs: 'queues:write', search: OPEN },
  { label: 'New agent', to: '/agents', needs: 'agents:write', search: OPEN },
  { label: 'New entity type', to: '/objects', needs: 'objects:write', search: OPEN },
  { label: 'New knowledge base', to: '/knowledge', needs: 'knowledge:write', search: OPEN },
  { label: 'New connection', to: '/settings/connections', needs: 'connections:write', search: OPEN },
  { label: 'New variable', to: '/settings/variables', needs: 'variables:write', search: OPEN },
];

export const newFormsFor = (permissions: readonly Permission[]) =>
  NEW_FORMS.filter(({ needs }) => permissions.includes(needs));

/** The form for a new thing, open if the address says so. `isAllowed`: the person may create one. */
export function useNewForm(isAllowed: boolean): { isOpen: boolean; open: () => void; close: () => void } {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const set = (next: string | undefined) =>
    void navigate({ to: '.', search: (now: Search) => ({ ...now, new: next }), replace: true });
  return {
    isOpen: isAllowed && search.new === OPEN.new,
    open: () => set(OPEN.new),
    close: () => set(undefined),
  };
}
