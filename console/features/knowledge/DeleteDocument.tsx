import { ActDialog } from '../../app/dialog/ActDialog.tsx';
import { done } from '../../ui/notices/notices.tsx';
import { deleteDocument } from './mutations.ts';
import type { DocumentRow } from './queries.ts';
import { KNOWLEDGE } from './words.ts';

const words = KNOWLEDGE;

interface DeleteDocumentProps {
  knowledgeId: string;
  document: DocumentRow;
  onClose: () => void;
}

export function DeleteDocument({ knowledgeId, document: { groupId, name }, onClose }: DeleteDocumentProps) {
  return (
    <ActDialog
      title={words.deleteDocumentTitle(name ?? words.untitled)}
      means={words.deleteDocumentMeans}
      button={words.delete}
      dismiss={words.dismiss}
      isDangerous
      onAct={async () => {
        await deleteDocument(knowledgeId, groupId);
        done(words.documentDeleted);
      }}
      onClose={onClose}
    />
  );
}
