import { Anchor, Button, Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../app/api/me.ts';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { Listing } from '../../ui/table/Listing.tsx';
import { Moment } from '../../ui/time/Moment.tsx';
import { DeleteDocument } from './DeleteDocument.tsx';
import { DocumentDialog } from './DocumentDialog.tsx';
import { type DocumentRow, documentPages } from './queries.ts';
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
