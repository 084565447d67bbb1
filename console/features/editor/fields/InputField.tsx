import { useQuery } from '@tanstack/react-query';
import type { Json } from '../../../../domain/json.ts';
import { lazyPart } from '../../../ui/load/loaded.ts';
import { useProblem } from '../editing/FormPlace.tsx';
import { resources } from '../editing/queries.ts';
import { ALWAYS, ExpressionField } from '../expression/ExpressionField.tsx';
import type { InputSpec } from '../model/inputSpecs.ts';
import { isResourceKind, type ResourceKind } from '../model/resourceKind.ts';
import { textOf } from '../model/textOf.ts';
import { EDITOR } from '../words/editor.ts';
import { CasesField } from './CasesField.tsx';
import { Choices } from './Choices.tsx';
import { DurationField } from './DurationField.tsx';
import { JsonField } from './JsonField.tsx';
import { LazyField } from './LazyField.tsx';
import { NoneYet } from './NoneYet.tsx';
import { OrExpression } from './OrExpression.tsx';
import { ValueField } from './ValueField.tsx';

const words = EDITOR.input;

/** Lazy, because few nodes contain a form or a secret. */
const FieldsField = lazyPart(
  () => import('./FieldsField.tsx'),
  ({ FieldsField }) => FieldsField,
);
const SecretField = lazyPart(
  () => import('./SecretField.tsx'),
  ({ SecretField }) => SecretField,
);

export interface InputFieldProps {
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
  const orExpression = (plain: React.ReactNode, isFirst = false, own = common) =>
    isPlain ? (
      plain
    ) : (
      <OrExpression value={value} isFirst={isFirst} onClear={() => onChange(undefined)} plain={plain}>
        <ExpressionField
          {...own}
          isOneValue={ALWAYS}
          value={asText}
          previewed={value}
          onChange={(text) => write(text)}
        />
      </OrExpression>
    );
  switch (kind) {
    case 'fields':
      return (
        <LazyField field={field}>
          <FieldsField Preset={InputField} value={value} field={field} label={label} onChange={onChange} />
        </LazyField>
      );
    case 'cases':
      return <CasesField value={value} field={field} onChange={onChange} />;
    case 'boolean':
    case 'select':
      // A condition is rarely a constant.
      return orExpression(<ChoiceField {...props} error={error} />, kind === 'boolean' && required);
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
        return orExpression(byName, false, { ...common, help: help === undefined ? asked : `${asked} ${help}` });
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
