import { useQueryClient } from '@tanstack/react-query';
import type { DocumentRow } from '../../data/knowledge.ts';
import { client } from '../../session.ts';
import { KNOWLEDGE } from '../../words/en/knowledge.ts';
import { ActDialog } from '../dialog/ActDialog.tsx';
import { done } from '../notices.tsx';

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
