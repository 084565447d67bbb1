import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import { durationOf, durationWritten } from '../../../../domain/durationWords.ts';
import type { Json } from '../../../../domain/json.ts';
import { lazyPart } from '../../../ui/load/lazyPart.ts';
import { type ResourceKind, resources } from '../../catalogue/queries.ts';
import { useProblem } from '../editing/Editing.tsx';
import { ALWAYS, ExpressionField } from '../expression/ExpressionField.tsx';
import { type InputSpec, isResourceKind } from '../model/inputSpecs.ts';
import { EDITOR } from '../words.ts';
import { Choices, NoneYet, OrExpression, textOf } from './Choices.tsx';
import { JsonField } from './JsonField.tsx';
import { ValueField } from './ValueField.tsx';

const words = EDITOR.input;

/** Lazy, because few nodes contain a form or a secret. */
const FieldsField = lazyPart(() => import('./FieldsField.tsx'), 'FieldsField');
const CasesField = lazyPart(() => import('./CasesField.tsx'), 'CasesField');
const ConditionField = lazyPart(() => import('./ConditionField.tsx'), 'ConditionField');
const FilterField = lazyPart(() => import('./FilterField.tsx'), 'FilterField');
const JavaScriptField = lazyPart(() => import('./JavaScriptField.tsx'), 'JavaScriptField');
const SubmittersField = lazyPart(() => import('./SubmittersField.tsx'), 'SubmittersField');
const LoadedField = lazyPart(() => import('./LoadedField.tsx'), 'LoadedField');
const SecretField = lazyPart(() => import('./SecretField.tsx'), 'SecretField');

interface InputFieldProps {
  spec: InputSpec;
  /** The place in the form: `inputs.title`. */
  field: string;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
  /** Takes no expressions, as in a trigger. */
  isPlain?: boolean;
}

export function InputField(props: InputFieldProps) {
  const { spec, field, value, onChange, isPlain = false } = props;
  const { kind, refersTo, label, required, help } = spec;
  const error = useProblem(field);
  const common = { label, required, help, error, field };
  const asText = textOf(value);
  const write = (text: string) => onChange(text === '' ? undefined : text);
  const orExpression = (plain: React.ReactNode, own = common) =>
    isPlain ? (
      plain
    ) : (
      <OrExpression value={value} onClear={() => onChange(undefined)} plain={plain}>
        <ExpressionField
          {...own}
          isOneValue={ALWAYS}
          value={asText}
          previewed={value}
          onChange={(text) => write(text)}
        />
      </OrExpression>
    );
  // A trigger has no operation that loads options.
  if (spec.loads !== undefined && !isPlain) {
    return (
      <LazyField field={field}>
        <LoadedField Input={InputField} {...{ spec, field, value, onChange, error }} />
      </LazyField>
    );
  }
  switch (kind) {
    case 'fields':
      return (
        <LazyField field={field}>
          <FieldsField Preset={InputField} value={value} field={field} label={label} onChange={onChange} />
        </LazyField>
      );
    case 'cases':
      return (
        <LazyField field={field}>
          <CasesField value={value} field={field} onChange={onChange} />
        </LazyField>
      );
    case 'boolean':
    case 'select':
      // A condition is rarely a constant.
      if (kind === 'boolean' && required && !isPlain) {
        return (
          <LazyField field={field}>
            <ConditionField {...common} value={value} onChange={onChange} />
          </LazyField>
        );
      }
      return orExpression(<ChoiceField {...props} error={error} />);
    case 'duration':
      return <DurationField {...common} value={value} onChange={onChange} />;
    case 'number':
      return (
        <ExpressionField
          {...common}
          isOneValue={ALWAYS}
          value={asText}
          previewed={value}
          onChange={(text) => onChange(numberOf(text))}
        />
      );
    case 'json':
    case 'object':
      return (
        <ValueField
          {...common}
          isObject={kind === 'object'}
          isMostlyObject={spec.isMostlyObject === true}
          value={value}
          onChange={onChange}
        />
      );
    case 'rules':
      return (
        <LazyField field={field}>
          <FilterField {...common} value={value} onChange={onChange} />
        </LazyField>
      );
    case 'submitters':
      return (
        <LazyField field={field}>
          <SubmittersField {...common} value={value} onChange={onChange} />
        </LazyField>
      );
    case 'javascript':
      return (
        <LazyField field={field}>
          <JavaScriptField {...common} value={asText} onChange={write} />
        </LazyField>
      );
    case 'multiSelect':
      return <JsonField {...common} value={value} onChange={onChange} />;
    case 'secret':
      return orExpression(
        <LazyField field={field}>
          <SecretField {...props} error={error} />
        </LazyField>,
      );
    default:
      if (refersTo !== undefined && isResourceKind(refersTo.kind)) {
        const byName = <ResourceField {...props} error={error} kind={refersTo.kind} by={refersTo.by} />;
        // The help states whether the expression must return an id or a slug; a choice by name does not need it.
        const asked = words.by[refersTo.by];
        return orExpression(byName, { ...common, help: help === undefined ? asked : `${asked} ${help}` });
      }
      return (
        <ExpressionField {...common} value={asText} previewed={value} isTall={kind === 'longText'} onChange={write} />
      );
  }
}

/** Returns a number, or else the text, which is an expression or invalid. */
function numberOf(text: string): Json | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  return /^-?\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : text;
}

type PlainProps = InputFieldProps & { error: string | undefined };

function ChoiceField({ spec, ...props }: PlainProps) {
  const isFlag = spec.kind === 'boolean';
  const options = isFlag
    ? [
        { value: 'true', label: words.yes },
        { value: 'false', label: words.no },
      ]
    : (spec.options ?? []).map(({ value, label }) => ({ value: String(value), label }));
  return <Choices {...props} spec={spec} options={options} read={(text) => (isFlag ? text === 'true' : text)} />;
}

function ResourceField({ kind, by, ...props }: PlainProps & { kind: ResourceKind; by: 'id' | 'slug' }) {
  const { data } = useQuery(resources(kind, by));
  const note = data?.length === 0 ? <NoneYet kind={kind} /> : undefined;
  return <Choices {...props} options={data ?? []} read={(text) => text} note={note} />;
}

interface DurationFieldProps {
  label: string;
  required: boolean;
  help: string | undefined;
  error: string | undefined;
  field: string;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
}

/** Takes a duration such as `5 min`, or an expression. The definition contains milliseconds. */
function DurationField({ value, onChange, help, error, ...common }: DurationFieldProps) {
  const shown = typeof value === 'number' ? durationWritten(value) : textOf(value);
  const [written, setWritten] = useState(shown);
  const isNone = typeof value === 'string' && !value.includes('{{');
  return (
    <ExpressionField
      {...common}
      isOneValue={ALWAYS}
      help={help === undefined ? words.durationHelp : `${help.replace(/\.?$/, '.')} ${words.durationHelp}`}
      error={isNone ? words.noDuration : error}
      // Keeps the typed text until another value arrives from outside.
      value={readDuration(written) === value ? written : shown}
      previewed={value}
      onChange={(text) => {
        setWritten(text);
        onChange(readDuration(text));
      }}
    />
  );
}

/** Returns milliseconds for a duration; otherwise the text, which is an expression or incomplete. */
function readDuration(text: string): Json | undefined {
  if (text.trim() === '') return undefined;
  return durationOf(text) ?? text;
}

/** Suspends a field whose code loads with the first node that needs it. The placeholder has its place in the form. */
export function LazyField({ field, children }: { field: string; children: ReactNode }) {
  return <Suspense fallback={<div data-field={field} />}>{children}</Suspense>;
}
