import { Button, Group, NativeSelect, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { holdsExpression } from '../../../../domain/expression/template.ts';
import { isUuid } from '../../../../domain/isUuid.ts';
import type { Json, JsonObject } from '../../../../domain/json.ts';
import { resources } from '../../catalogue/queries.ts';
import { useEditing, useProblem } from '../editing/Editing.tsx';
import { ALWAYS, ExpressionField } from '../expression/ExpressionField.tsx';
import type { InputSpec, SlugInput } from '../model/inputSpecs.ts';
import { EDITOR } from '../words.ts';
import { Choices, NoneYet, OrExpression, textOf } from './Choices.tsx';

const words = EDITOR.resource;

interface NamedResourceProps {
  spec: InputSpec;
  orSlug: SlugInput;
  inputs: JsonObject | undefined;
  /** Problem of the inputs as a whole: neither or both are given. */
  problem: string | undefined;
  onChange: (members: [key: string, value: Json | undefined][]) => void;
}

/** Selects a resource by name, or takes an id, slug or expression. Either the id or the slug is stored. */
export function NamedResource({ spec, orSlug, inputs, problem, onChange }: NamedResourceProps) {
  const { isReadOnly } = useEditing();
  const { label, required } = spec;
  const { data } = useQuery(resources(orSlug.kind, 'id'));
  const places = { id: `inputs.${spec.key}`, slug: `inputs.${orSlug.key}` };
  const found = [useProblem(places.id), useProblem(places.slug)].filter((one) => one !== undefined);
  const given = { id: textOf(inputs?.[spec.key]), slug: textOf(inputs?.[orSlug.key]) };
  const by = given.id === '' && given.slug !== '' ? 'slug' : 'id';
  const text = given[by];
  const isTwice = given.id !== '' && given.slug !== '';
  // The form has its own wording for neither or both.
  const whole = isTwice ? words.twice(given.slug) : problem;
  const error = [...found, ...(whole === undefined ? [] : [whole])].join('\n') || undefined;
  const write = (value: string, as: 'id' | 'slug') => {
    const named = value === '' ? undefined : value;
    onChange([
      [spec.key, as === 'id' ? named : undefined],
      [orSlug.key, as === 'slug' ? named : undefined],
    ]);
  };
  const isOpen = holdsExpression(text);
  const common = { label, required, error };
  return (
    <Stack gap={6} data-field="inputs">
      <OrExpression
        value={text}
        isOpen={isOpen || by === 'slug'}
        says={{ write: words.write, choose: words.choose }}
        onClear={() => write('', 'id')}
        plain={
          <Choices
            {...common}
            spec={spec}
            field={places.id}
            options={data ?? []}
            note={data?.length === 0 ? <NoneYet kind={orSlug.kind} /> : undefined}
            value={text}
            onChange={(value) => write(textOf(value), 'id')}
            read={(value) => value}
          />
        }
      >
        <ExpressionField
          {...common}
          help={orSlug.help}
          field={places[by]}
          isOneValue={ALWAYS}
          value={text}
          previewed={text}
          onChange={(next) => write(next, byOf(next, text === '' ? 'slug' : by))}
        />
      </OrExpression>
      {isOpen && !isTwice && (
        <NativeSelect
          label={words.gives}
          disabled={isReadOnly}
          data={[
            { value: 'slug', label: words.slug },
            { value: 'id', label: words.id },
          ]}
          value={by}
          onChange={({ currentTarget }) => write(text, currentTarget.value as 'id' | 'slug')}
        />
      )}
      {isTwice && !isReadOnly && (
        <Group gap={6}>
          <Button size="xs" variant="default" onClick={() => write(given.id, 'id')}>
            {words.keepId}
          </Button>
          <Button size="xs" variant="default" onClick={() => write(given.slug, 'slug')}>
            {words.keepSlug}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

/** Guesses whether a text is an id or a slug. An expression keeps the previous choice, since its result is unknown. */
const byOf = (text: string, before: 'id' | 'slug') => (holdsExpression(text) ? before : isUuid(text) ? 'id' : 'slug');
