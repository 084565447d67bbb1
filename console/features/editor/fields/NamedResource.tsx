import { Button, Group, NativeSelect, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { holdsExpression } from '../../../../domain/expression/template.ts';
import { isUuid } from '../../../../domain/isUuid.ts';
import type { Json, JsonObject } from '../../../../domain/json.ts';
import { useEditing } from '../editing/Editing.tsx';
import { useProblem } from '../editing/FormPlace.tsx';
import { resources } from '../editing/queries.ts';
import { ALWAYS, ExpressionField } from '../expression/ExpressionField.tsx';
import type { InputSpec, SlugInput } from '../model/inputSpecs.ts';
import { textOf } from '../model/textOf.ts';
import { EDITOR } from '../words/editor.ts';
import { Choices } from './Choices.tsx';
import { NoneYet } from './NoneYet.tsx';
import { OrExpression } from './OrExpression.tsx';

const words = EDITOR.resource;

interface NamedResourceProps {
  /** By the id. */
  spec: InputSpec;
  orSlug: SlugInput;
  inputs: JsonObject | undefined;
  /** What is wrong with the inputs as a whole: that neither is given, or both. */
  problem: string | undefined;
  /** Of each key its value; undefined: it is left out. */
  onChange: (members: [key: string, value: Json | undefined][]) => void;
}

/** A resource that a node names by its id or by its slug: chosen by its name, or written. One of both is stored. */
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
  // That neither is given, or both, is said in the words of the form.
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
        isFirst={false}
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

/** What a text is, as far as it says so itself: what an expression gives only its author knows. */
const byOf = (text: string, before: 'id' | 'slug') => (holdsExpression(text) ? before : isUuid(text) ? 'id' : 'slug');
