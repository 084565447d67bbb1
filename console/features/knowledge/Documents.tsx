import { Anchor, Button, Modal, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useMay } from '../../app/api/me.ts';
import { ActDialog } from '../../app/dialog/ActDialog.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { done } from '../../ui/notices.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { Listing } from '../../ui/table/Listing.tsx';
import { Moment } from '../../ui/time/Moment.tsx';
import { deleteDocument } from './mutations.ts';
import { type DocumentRow, documentPages, knowledgeDocument } from './queries.ts';
import { Upload } from './Upload.tsx';
import { KNOWLEDGE } from './words.ts';

const words = KNOWLEDGE;

type Row = DocumentRow & { id: string };

export function Documents({ knowledgeId }: { knowledgeId: string }) {
  const may = useMay();
  const navigate = useNavigate();
  const { document: opened, part } = useSearch({ from: '/frame/knowledge/$knowledgeId' });
  const pages = useInfiniteQuery(documentPages(knowledgeId));
  const [deleted, setDeleted] = useState<Row>();
  const rows = pages.data?.pages.flatMap((page) => page.rows.map((row) => ({ ...row, id: row.groupId }))) ?? [];
  const mayWrite = may('knowledge:write');
  const close = () => void navigate({ to: `/knowledge/${knowledgeId}`, search: {}, replace: true });
  const columns: Column<Row>[] = [
    {
      key: 'name',
      header: words.columns.name,
      className: 'named',
      cell: ({ id, name }) => (
        <Anchor
          renderRoot={(props) => <Link to={`/knowledge/${knowledgeId}`} search={{ document: id }} {...props} />}
          underline="always"
          style={{ overflowWrap: 'anywhere' }}
        >
          {name ?? words.untitled}
        </Anchor>
      ),
    },
    { key: 'parts', header: words.columns.parts, cell: ({ parts }) => parts.toLocaleString('en') },
    { key: 'tokens', header: words.columns.tokens, cell: ({ tokens }) => tokens.toLocaleString('en') },
    {
      key: 'metadata',
      card: 'line',
      header: words.metadata,
      cell: ({ metadata }) =>
        Object.entries(metadata).map(([name, value]) => (
          <span key={name} className="label">
            {name}={typeof value === 'string' ? value : JSON.stringify(value)}
          </span>
        )),
    },
    { key: 'created', header: words.created, className: 'short', cell: ({ createdAt }) => <Moment at={createdAt} /> },
    {
      key: 'delete',
      card: 'corner',
      header: <span className="aloud">{words.acts}</span>,
      cell: (row) => (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={words.deleteDocument(row.name ?? words.untitled)}
          onClick={() => setDeleted(row)}
        >
          {words.delete}
        </Button>
      ),
    },
  ];
  return (
    <Stack>
      {mayWrite && <Upload knowledgeId={knowledgeId} />}
      <Listing pages={pages} empty={words.noDocuments}>
        <DataTable
          label={words.documents}
          columns={mayWrite ? columns : columns.filter(({ key }) => key !== 'delete')}
          rows={rows}
        />
      </Listing>
      {opened !== undefined && (
        <DocumentDialog knowledgeId={knowledgeId} groupId={opened} part={Number(part)} onClose={close} />
      )}
      {deleted !== undefined && (
        <DeleteDocument knowledgeId={knowledgeId} document={deleted} onClose={() => setDeleted(undefined)} />
      )}
    </Stack>
  );
}

interface DocumentDialogProps {
  knowledgeId: string;
  groupId: string;
  /** The part to scroll to; NaN if there is none. */
  part: number;
  onClose: () => void;
}

function DocumentDialog({ knowledgeId, groupId, part, onClose }: DocumentDialogProps) {
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

interface DeleteDocumentProps {
  knowledgeId: string;
  document: DocumentRow;
  onClose: () => void;
}

function DeleteDocument({ knowledgeId, document: { groupId, name }, onClose }: DeleteDocumentProps) {
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
