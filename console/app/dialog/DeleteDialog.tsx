import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { done } from '../../ui/notices.tsx';
import { ActDialog } from './ActDialog.tsx';

interface DeleteDialogProps {
  words: { deleteTitle: string; deleteMeans: string; delete: string; dismiss: string; deleted: string };
  onDelete: () => Promise<unknown>;
  /** Leaves the page before its queries are removed; otherwise it would read the deleted resource again. */
  leave: () => Promise<void>;
  /** `own`: the key of the resource's query; `list`: of the list that contains it. */
  own: QueryKey;
  list: QueryKey;
  onClose: () => void;
}

/** The API refuses the deletion while something uses the resource, and names that. */
export function DeleteDialog({ words, onDelete, leave, own, list, onClose }: DeleteDialogProps) {
  const queries = useQueryClient();
  return (
    <ActDialog
      title={words.deleteTitle}
      means={words.deleteMeans}
      button={words.delete}
      dismiss={words.dismiss}
      isDangerous
      onAct={async () => {
        await onDelete();
        done(words.deleted);
        await leave();
        queries.removeQueries({ queryKey: own });
        void queries.invalidateQueries({ queryKey: list });
      }}
      onClose={onClose}
    />
  );
}
