import { useQueryClient } from '@tanstack/react-query';
import { ActDialog } from '../../app/dialog/ActDialog.tsx';
import { client } from '../../app/session/session.ts';
import { done } from '../../ui/notices/notices.tsx';
import type { DocumentRow } from './queries.ts';
import { KNOWLEDGE } from './words.ts';

const words = KNOWLEDGE;

interface DeleteDocumentProps {
  knowledgeId: string;
  document: DocumentRow;
  onClose: () => void;
}

/** Asks before a document goes. */
export function DeleteDocument({ knowledgeId, document: { groupId, name }, onClose }: DeleteDocumentProps) {
  const queries = useQueryClient();
  return (
    <ActDialog
      title={words.deleteDocumentTitle(name ?? words.untitled)}
      means={words.deleteDocumentMeans}
      button={words.delete}
      dismiss={words.dismiss}
      isDangerous
      onAct={async () => {
        await client.deleteKnowledgeDocument({ path: { knowledgeId, groupId } });
        done(words.documentDeleted);
        void queries.invalidateQueries({ queryKey: ['listKnowledgeDocuments'] });
        void queries.invalidateQueries({ queryKey: ['getKnowledge', knowledgeId] });
      }}
      onClose={onClose}
    />
  );
}
