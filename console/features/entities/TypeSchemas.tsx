import { Input, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { isJsonObject } from '../../../domain/json.ts';
import { CodeEditor } from '../../ui/code/CodeEditor.tsx';
import { jsonText, parsedJson } from '../../ui/code/jsonText.ts';
import { AttributesForm } from './AttributesForm.tsx';
import { attributeRows } from './attributeRows.ts';
import { StatesForm } from './StatesForm.tsx';
import { labelOf } from './schemaFields.ts';
import { readStates } from './stateForm.ts';
import { OBJECTS } from './words.ts';

const words = OBJECTS.typeForm;

interface TypeSchemasProps {
  /** The schemas as JSON. */
  attributes: string;
  states: string;
  isReadOnly: boolean;
  onAttributes: (text: string) => void;
  onStates: (text: string) => void;
}

/** Edits the schemas of a type in a form, or as JSON, which also has what the form cannot show. */
export function TypeSchemas({ attributes, states, isReadOnly, onAttributes, onStates }: TypeSchemasProps) {
  const [view, setView] = useState('form');
  const isForm = view === 'form';
  const parsed = { attributes: parsedJson(attributes), states: parsedJson(states) };
  const schema = 'value' in parsed.attributes ? (parsed.attributes.value ?? NO_ATTRIBUTES) : undefined;
  const rows = attributeRows(schema);
  const stateSchema = 'value' in parsed.states ? parsed.states.value : undefined;
  const hasStateForm = stateSchema === null || readStates(stateSchema) !== undefined;
  const help = isForm ? words.onlyJson : undefined;
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label={words.view}
        style={{ alignSelf: 'start' }}
        data={[
          { value: 'form', label: words.views.form },
          { value: 'json', label: words.views.json },
        ]}
        value={view}
        onChange={setView}
      />
      <fieldset className="type-form" disabled={isReadOnly && isForm}>
        {isForm && rows !== undefined && isJsonObject(schema) ? (
          <AttributesForm schema={schema} onChange={(next) => onAttributes(jsonText(next))} />
        ) : (
          <SchemaEditor
            label={OBJECTS.attributeSchema}
            text={attributes}
            parsed={parsed.attributes}
            help={help}
            onChange={isReadOnly ? undefined : onAttributes}
          />
        )}
        {isForm && hasStateForm ? (
          <StatesForm
            schema={stateSchema}
            attributes={(rows ?? []).map((row) => ({ key: row.key, label: labelOf(row.key, row.schema) }))}
            onChange={(next) => onStates(jsonText(next))}
          />
        ) : (
          <SchemaEditor
            label={OBJECTS.stateSchema}
            text={states}
            parsed={parsed.states}
            help={help}
            onChange={isReadOnly ? undefined : onStates}
          />
        )}
      </fieldset>
    </>
  );
}

const NO_ATTRIBUTES = { type: 'object' };

interface SchemaEditorProps {
  label: string;
  text: string;
  help: string | undefined;
  parsed: ReturnType<typeof parsedJson>;
  onChange: ((text: string) => void) | undefined;
}

function SchemaEditor({ label, text, help, parsed, onChange }: SchemaEditorProps) {
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      {...(help === undefined ? {} : { description: help })}
      error={'problem' in parsed ? OBJECTS.notJson(parsed.problem) : undefined}
    >
      <CodeEditor
        value={text}
        language="json"
        label={label}
        minHeight="10rem"
        {...(onChange === undefined ? {} : { onChange })}
      />
    </Input.Wrapper>
  );
}
