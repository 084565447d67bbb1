import { Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Loading } from '../../ui/Loading.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { knowledgeDocument } from './queries.ts';
import { KNOWLEDGE } from './words.ts';

const words = KNOWLEDGE;

interface DocumentDialogProps {
  knowledgeId: string;
  groupId: string;
  /** The part to scroll to; NaN if there is none. */
  part: number;
  onClose: () => void;
}

export function DocumentDialog({ knowledgeId, groupId, part, onClose }: DocumentDialogProps) {
  const { data, error } = useQuery(knowledgeDocument(knowledgeId, groupId));
  const sought = useRef<HTMLElement>(null);
  useEffect(() => sought.current?.scrollIntoView({ block: 'center' }), [data, part]);
  return (
    <Modal opened onClose={onClose} closeOnClickOutside title={data?.name ?? words.untitled} size="xl">
      {error !== null && <ProblemAlert error={error} isRead />}
      {data === undefined && error === null && <Loading />}
      <Stack gap="xs">
        {data?.parts.map(({ id, partNumber, text }) => (
          <section
            key={id}
            className="part"
            data-sought={partNumber === part}
            ref={partNumber === part ? sought : undefined}
            aria-label={words.part(partNumber)}
          >
            <Text size="xs">{words.partOf(partNumber, data.parts.length)}</Text>
            <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{text}</Text>
          </section>
        ))}
      </Stack>
    </Modal>
  );
}
