import { useMutation, useQueryClient } from '@tanstack/react-query';
import { loaded } from '../../../ui/load/lazyPart.ts';
import type { Save } from './mutations.ts';

/** Preloaded with the first change, so that a save does not wait for it. */
export const loadMutations = () => import('./mutations.ts');

export function useSave() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (given: Save) => (await loaded(loadMutations)).save(given),
    onSuccess: () => {
      for (const operation of ['listWorkflows', 'getWorkflow', 'listWorkflowVersions']) {
        void queries.invalidateQueries({ queryKey: [operation], refetchType: 'none' });
      }
    },
  });
}
