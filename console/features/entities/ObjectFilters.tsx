import { Button, Checkbox, Group, NativeSelect, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { Filters } from '../../app/lists/Filters.tsx';
import { SavedViews } from '../../app/lists/SavedViews.tsx';
import type { SearchOf } from '../../ui/search.ts';
import { FilterSelect } from '../../ui/table/FilterSelect.tsx';
import { SearchField } from '../../ui/table/SearchField.tsx';
import { ColumnsButton } from './ColumnsButton.tsx';
import { attributeFilters, type ObjectType } from './queries.ts';
import { labelOf, propertiesOf } from './schemaFields.ts';
import { OBJECTS } from './words.ts';

type Search = SearchOf<'/frame/objects/$typeSlug'>;

const words = OBJECTS;

interface ObjectFiltersProps {
  type: ObjectType;
  search: Search;
  /** The board has no state filter, because its columns are the states. */
  isBoard: boolean;
  onChange: (change: Search) => void;
}

export function ObjectFilters({ type, search, isBoard, onChange }: ObjectFiltersProps) {
  const attributes = propertiesOf(type.attributeSchema);
  const [attribute, setAttribute] = useState(attributes[0]?.[0] ?? '');
  const [value, setValue] = useState('');
  const { tab: _, page: __, ...filters } = search;
  const inForce = attributeFilters(search);
  const states = type.stateSchema?.states ?? [];
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (value.trim() === '') return;
    onChange({ [`attributes.${attribute}`]: value.trim() });
    setValue('');
  };
  const labelled = (parameter: string) => {
    const name = parameter.slice('attributes.'.length);
    return labelOf(name, attributes.find(([each]) => each === name)?.[1]);
  };
  return (
    <Filters
      label={words.filters}
      filters={{ state: isBoard ? undefined : search.state, deleted: search.deleted, ...Object.fromEntries(inForce) }}
      find={
        <SearchField
          label={words.find}
          placeholder={words.findExample}
          value={search.q ?? ''}
          onFind={(q) => onChange({ q })}
        />
      }
    >
      {!isBoard && states.length > 0 && (
        <FilterSelect
          label={words.state}
          value={search.state}
          any={words.anyState}
          choices={states.map(({ id, name }) => ({ value: id, label: name ?? id }))}
          onChoose={(state) => onChange({ state })}
        />
      )}
      {attributes.length > 0 && (
        <form onSubmit={add}>
          <Group align="end" gap={6}>
            <NativeSelect
              label={words.attribute}
              value={attribute}
              onChange={(event) => setAttribute(event.currentTarget.value)}
              data={attributes.map(([name, schema]) => ({ value: name, label: labelOf(name, schema) }))}
            />
            <TextInput
              label={words.equals}
              w={140}
              value={value}
              onChange={(event) => setValue(event.currentTarget.value)}
            />
            <Button type="submit" variant="default">
              {words.addFilter}
            </Button>
          </Group>
        </form>
      )}
      {!isBoard && (
        <>
          <FilterSelect
            label={words.sort}
            value={search.sort}
            choices={[
              ...Object.entries(words.sorts).map(([each, label]) => ({ value: each, label })),
              ...attributes.map(([name, schema]) => ({ value: `attributes.${name}`, label: labelOf(name, schema) })),
            ]}
            onChoose={(sort) => onChange({ sort })}
          />
          {search.sort !== undefined && (
            <Checkbox
              label={words.descending}
              mb={8}
              checked={search.order === 'desc'}
              onChange={(event) => onChange({ order: event.currentTarget.checked ? 'desc' : undefined })}
            />
          )}
          <Checkbox
            label={words.deleted}
            mb={8}
            checked={search.deleted === 'true'}
            onChange={(event) => onChange({ deleted: event.currentTarget.checked ? 'true' : undefined })}
          />
        </>
      )}
      {!isBoard && <ColumnsButton type={type} columns={search.columns} onChange={(columns) => onChange({ columns })} />}
      <SavedViews list={`objects/${type.id}`} filters={filters} onChange={onChange} />
      {inForce.length > 0 && (
        <Group gap={6} flex="0 0 100%">
          {inForce.map(([parameter, given]) => {
            const text = `${labelled(parameter)}: ${given}`;
            return (
              <Button
                key={parameter}
                size="compact-sm"
                variant="light"
                rightSection={<IconX size={14} aria-hidden />}
                aria-label={words.removeFilter(text)}
                onClick={() => onChange({ [parameter]: undefined })}
              >
                {text}
              </Button>
            );
          })}
        </Group>
      )}
    </Filters>
  );
}
