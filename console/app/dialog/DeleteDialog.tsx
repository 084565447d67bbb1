import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { done } from '../../ui/notices/notices.tsx';
import { ActDialog } from './ActDialog.tsx';

interface DeleteDialogProps {
  words: { deleteTitle: string; deleteMeans: string; delete: string; dismiss: string; deleted: string };
  onDelete: () => Promise<unknown>;
  /** Leaves its page, which would read what is gone. */
  leave: () => Promise<void>;
  /** The reads that know it: of itself, and of the list that it stood in. */
  own: QueryKey;
  list: QueryKey;
  onClose: () => void;
}

/** Asks before one thing with a page of its own goes; the API refuses while something uses it, and names that. */
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
