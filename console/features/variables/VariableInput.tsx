import { Input, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { CodeEditor } from '../../ui/code/CodeEditor.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { asKind, readValue, VALUE_KINDS, type ValueKind, type WrittenValue } from './variableValue.ts';
import { VARIABLES } from './words.ts';

const words = VARIABLES;

interface VariableInputProps {
  written: WrittenValue;
  onChange: (written: WrittenValue) => void;
}

export function VariableInput({ written, onChange }: VariableInputProps) {
  return (
    <>
      <NativeSelect
        label={words.kind}
        value={written.kind}
        onChange={({ currentTarget }) => onChange(asKind(written, currentTarget.value as ValueKind))}
        data={VALUE_KINDS.map((kind) => ({ value: kind, label: words.kinds[kind] }))}
      />
      <KindInput written={written} onText={(text) => onChange({ ...written, text })} />
    </>
  );
}

function KindInput({ written, onText }: { written: WrittenValue; onText: (text: string) => void }) {
  const { kind, text } = written;
  const read = readValue(written);
  const problem = 'problem' in read ? read.problem : undefined;
  if (kind === 'boolean') {
    return (
      <NativeSelect
        label={words.value}
        value={text}
        onChange={({ currentTarget }) => onText(currentTarget.value)}
        data={[
          { value: 'true', label: WORDS.form.yes },
          { value: 'false', label: WORDS.form.no },
        ]}
      />
    );
  }
  if (kind === 'number') {
    return (
      <TextInput
        label={words.value}
        inputMode="decimal"
        error={text.trim() !== '' && problem !== undefined ? words.noNumber[problem] : undefined}
        value={text}
        onChange={({ currentTarget }) => onText(currentTarget.value)}
      />
    );
  }
  if (kind === 'text') {
    return (
      <Textarea
        label={words.value}
        autosize
        minRows={1}
        maxRows={12}
        value={text}
        onChange={({ currentTarget }) => onText(currentTarget.value)}
      />
    );
  }
  return (
    <Input.Wrapper
      label={words.value}
      description={words.valueHelp}
      labelElement="div"
      error={problem === undefined ? undefined : words.notJson(problem)}
    >
      <CodeEditor value={text} language="json" label={words.value} minHeight="6rem" onChange={onText} />
    </Input.Wrapper>
  );
}
