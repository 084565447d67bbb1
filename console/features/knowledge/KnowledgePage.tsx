import { Anchor, Button, Modal } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { isProblem, newIdempotencyKey } from 'perdure-client';
import { useState } from 'react';
import { useMay } from '../../app/api/me.ts';
import { useNewForm } from '../../app/pages/newForms.ts';
import { FieldForm } from '../../ui/form/FieldForm.tsx';
import { Page } from '../../ui/Page.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { EmptyList } from '../../ui/table/EmptyList.tsx';
import { Listing } from '../../ui/table/Listing.tsx';
import { Moment } from '../../ui/time/Moment.tsx';
import { createFields } from './baseFields.ts';
import { createBase } from './mutations.ts';
import { type KnowledgeRow, knowledgePages } from './queries.ts';
import { KNOWLEDGE } from './words.ts';

const words = KNOWLEDGE;

const COLUMNS: readonly Column<KnowledgeRow>[] = [
  {
    key: 'name',
    header: words.columns.name,
    className: 'named',
    cell: ({ id, name }) => (
      <Anchor component={Link} to={`/knowledge/${id}`} underline="always">
        {name}
      </Anchor>
    ),
    title: ({ description }) => description ?? undefined,
  },
  { key: 'documents', header: words.columns.documents, cell: ({ usage }) => usage?.documents.toLocaleString('en') },
  { key: 'parts', header: words.columns.parts, cell: ({ usage }) => usage?.parts.toLocaleString('en') },
  {
    key: 'tokens',
    header: words.columns.tokens,
    cell: ({ usage }) => usage?.tokens.toLocaleString('en'),
  },
  { key: 'model', header: words.columns.model, cell: ({ embeddingModel }) => embeddingModel },
  {
    key: 'changed',
    header: words.columns.changed,
    className: 'short',
    cell: ({ updatedAt }) => <Moment at={updatedAt} />,
  },
];

export function Knowledge() {
  const may = useMay();
  const pages = useInfiniteQuery(knowledgePages());
  const mayWrite = may('knowledge:write');
  const form = useNewForm(mayWrite);
  const rows = pages.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <Page title={words.title} beside={mayWrite && <Button onClick={form.open}>{words.new}</Button>}>
      <Listing
        pages={pages}
        empty={
          <EmptyList means={words.noneYet}>{mayWrite && <Button onClick={form.open}>{words.first}</Button>}</EmptyList>
        }
      >
        <DataTable label={words.title} columns={COLUMNS} rows={rows} />
      </Listing>
      {form.isOpen && <NewBase onClose={form.close} />}
    </Page>
  );
}

function NewBase({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [idempotencyKey] = useState(() => newIdempotencyKey());
  const create = useMutation({
    mutationFn: (body: Record<string, unknown>) => createBase(body as { name: string }, idempotencyKey),
    onSuccess: async ({ id }) => {
      await navigate({ to: `/knowledge/${id}` });
    },
  });
  const problem = isProblem(create.error) ? create.error : undefined;
  return (
    <Modal opened onClose={onClose} title={words.new}>
      {create.error !== null && <ProblemAlert error={create.error} />}
      <FieldForm
        fields={createFields()}
        submitLabel={words.create}
        isBusy={create.isPending}
        problems={Object.fromEntries((problem?.errors ?? []).map(({ path, message }) => [path, message]))}
        onSubmit={(values) => create.mutate(values)}
      />
    </Modal>
  );
}
