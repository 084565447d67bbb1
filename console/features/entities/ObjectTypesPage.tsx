import { Anchor, Button, NativeSelect, Text, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Answer } from 'perdure-client';
import { useState } from 'react';
import { TYPE_SLUG } from '../../../domain/object/typeSlug.ts';
import { useMay } from '../../app/api/me.ts';
import { ActDialog } from '../../app/dialog/ActDialog.tsx';
import { useNewForm } from '../../app/pages/newForms.ts';
import { Chip } from '../../ui/Chip.tsx';
import { Page } from '../../ui/Page.tsx';
import { slugOf } from '../../ui/slug.ts';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { EmptyList } from '../../ui/table/EmptyList.tsx';
import { Listing } from '../../ui/table/Listing.tsx';
import { Moment } from '../../ui/time/Moment.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { refreshObjects, saveType } from './mutations.ts';
import { isSlugTaken, type ObjectType, typePages } from './queries.ts';
import { OBJECTS } from './words.ts';
import './objects.css';

const words = OBJECTS;

type Row = Answer<'listObjectTypes'>[number];

const COLUMNS: Column<Row>[] = [
  {
    key: 'name',
    header: words.columns.name,
    cell: ({ name, slug, description, isEnabled, managedByCode }) => (
      <>
        <Anchor
          renderRoot={(props) => <Link to="/objects/$typeSlug" params={{ typeSlug: slug }} {...props} />}
          underline="always"
          size="sm"
          fw={600}
        >
          {name}
        </Anchor>{' '}
        {isEnabled === false && <Chip tone="neutral">{words.disabled}</Chip>}{' '}
        {managedByCode === true && <Chip tone="neutral">{words.byCode}</Chip>}
        {description != null && <Text size="xs">{description}</Text>}
      </>
    ),
  },
  { key: 'slug', header: words.columns.slug, cell: ({ slug }) => <code>{slug}</code> },
  {
    key: 'count',
    header: words.columns.entities,
    cell: ({ countObjects }) => countObjects?.toLocaleString('en') ?? WORDS.none,
  },
  {
    key: 'updated',
    header: words.columns.updated,
    className: 'short',
    cell: ({ updatedAt }) => <Moment at={updatedAt} />,
  },
];

export function ObjectTypes() {
  const pages = useInfiniteQuery(typePages());
  const mayWrite = useMay()('objects:write');
  const form = useNewForm(mayWrite);
  const rows = pages.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <Page title={words.title} beside={mayWrite && <Button onClick={form.open}>{words.addType}</Button>}>
      <Listing
        pages={pages}
        empty={
          <EmptyList means={words.none}>{mayWrite && <Button onClick={form.open}>{words.first}</Button>}</EmptyList>
        }
      >
        <DataTable label={words.title} columns={COLUMNS} rows={rows} />
      </Listing>
      {form.isOpen && <AddType onClose={form.close} />}
    </Page>
  );
}

class SlugTaken extends Error {}

function AddType({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [slug, setSlug] = useState('');
  const [template, setTemplate] = useState<keyof typeof TEMPLATES>('order');
  const made = slug || slugOf(name);
  const isUsable = TYPE_SLUG.test(made);
  const act = async () => {
    if (await isSlugTaken(made)) throw new SlugTaken(words.slugTaken(made));
    await saveType({ slug: made, name: name.trim(), managedByCode: false, ...TEMPLATES[template] });
    await refreshObjects();
    await navigate({ to: '/objects/$typeSlug', params: { typeSlug: made }, search: { tab: 'settings' } });
  };
  return (
    <ActDialog
      title={words.addType}
      button={words.add2}
      isDisabled={name.trim() === '' || !isUsable}
      onAct={act}
      onClose={onClose}
      explain={(error) => (error instanceof SlugTaken ? <Text c="var(--ink-bad)">{error.message}</Text> : undefined)}
    >
      <TextInput
        label={words.typeName}
        data-autofocus
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label={words.slug}
        description={words.slugHelp}
        required={name.trim() !== '' && slugOf(name) === ''}
        error={slug !== '' && !isUsable ? words.slugWrong : undefined}
        placeholder={slugOf(name)}
        maxLength={64}
        value={slug}
        onChange={(event) => setSlug(event.currentTarget.value)}
      />
      <NativeSelect
        label={words.template}
        value={template}
        onChange={(event) => setTemplate(event.currentTarget.value as keyof typeof TEMPLATES)}
        data={Object.entries(words.templates).map(([value, label]) => ({ value, label }))}
      />
    </ActDialog>
  );
}

type Schemas = Pick<ObjectType, 'attributeSchema' | 'stateSchema'>;

const TEMPLATES: Record<'order' | 'customer' | 'claim' | 'blank', Schemas> = {
  order: {
    attributeSchema: {
      type: 'object',
      required: ['total'],
      properties: {
        total: { type: 'number', minimum: 0, title: 'Total' },
        email: { type: 'string', format: 'email', title: 'E-mail' },
        approvedBy: { type: 'string', title: 'Approved by' },
      },
    },
    stateSchema: {
      initial: 'draft',
      states: [
        { id: 'draft', name: 'Draft' },
        { id: 'approved', name: 'Approved', requiredFields: ['approvedBy'] },
        { id: 'cancelled', name: 'Cancelled', final: true },
      ],
      transitions: [
        { from: 'draft', to: 'approved', name: 'Approve' },
        { from: '*', to: 'cancelled', name: 'Cancel', requiresReason: true },
      ],
    },
  },
  customer: {
    attributeSchema: {
      type: 'object',
      properties: {
        email: { type: 'string', format: 'email', title: 'E-mail' },
        phone: { type: 'string', title: 'Phone' },
        since: { type: 'string', format: 'date', title: 'Since' },
      },
    },
    stateSchema: null,
  },
  claim: {
    attributeSchema: {
      type: 'object',
      required: ['amount'],
      properties: {
        amount: { type: 'number', minimum: 0, title: 'Amount' },
        kind: { enum: ['damage', 'loss', 'delay'], title: 'Kind' },
        what: { type: 'string', maxLength: 5000, title: 'What happened' },
      },
    },
    stateSchema: {
      initial: 'open',
      states: [
        { id: 'open', name: 'Open' },
        { id: 'checked', name: 'Checked' },
        { id: 'paid', name: 'Paid', final: true },
        { id: 'refused', name: 'Refused', final: true },
      ],
      transitions: [
        { from: 'open', to: 'checked', name: 'Check' },
        { from: 'checked', to: 'paid', name: 'Pay' },
        { from: 'checked', to: 'refused', name: 'Refuse', requiresReason: true },
      ],
    },
  },
  blank: { attributeSchema: { type: 'object', properties: {} }, stateSchema: null },
};
