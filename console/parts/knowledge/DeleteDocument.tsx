import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { DocumentRow } from '../../data/knowledge.ts';
import { client } from '../../session.ts';
import { KNOWLEDGE } from '../../words/en/knowledge.ts';
import { done } from '../notices.tsx';
import { ProblemAlert } from '../ProblemAlert.tsx';

const words = KNOWLEDGE;

interface DeleteDocumentProps {
  knowledgeId: string;
  document: DocumentRow;
  onClose: () => void;
}

/** Asks before a document goes. */
export function DeleteDocument({ knowledgeId, document: { groupId, name }, onClose }: DeleteDocumentProps) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => client.deleteKnowledgeDocument({ path: { knowledgeId, groupId } }),
    onSuccess: () => {
      done(words.documentDeleted);
      void queries.invalidateQueries({ queryKey: ['listKnowledgeDocuments'] });
      void queries.invalidateQueries({ queryKey: ['getKnowledge', knowledgeId] });
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title={words.deleteDocumentTitle(name ?? words.untitled)}>
      <Stack>
        <Text>{words.deleteDocumentMeans}</Text>
        {remove.error !== null && <ProblemAlert error={remove.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {words.dismiss}
          </Button>
          <Button color="red.9" loading={remove.isPending} onClick={() => remove.mutate()}>
            {words.delete}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
