import { Checkbox, Input, Modal, NativeSelect, PasswordInput, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { choices } from '../../app/api/choices.ts';
import { useMay } from '../../app/api/me.ts';
import { ActDialog } from '../../app/dialog/ActDialog.tsx';
import { CodeEditor } from '../../ui/code/CodeEditor.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { done } from '../../ui/notices.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { ChangedMeanwhile, isChangedMeanwhile } from '../../ui/problem/SaveProblem.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { createVariable, updateVariable } from './mutations.ts';
import { freshVariable, type Variable } from './queries.ts';
import {
  asKind,
  NO_VALUE,
  readValue,
  VALUE_KINDS,
  type ValueKind,
  type WrittenValue,
  writtenValue,
} from './variableValue.ts';
import { VARIABLES } from './words.ts';

const words = VARIABLES;

interface ChangeVariableProps {
  variable: Pick<Variable, 'id' | 'name'>;
  onClose: () => void;
}

/** Edits a variable. It is read again first, so that no unseen change is overwritten. */
export function ChangeVariable({ variable: { id: variableId, name }, onClose }: ChangeVariableProps) {
  const fresh = useQuery(freshVariable(variableId));
  if (fresh.data === undefined) {
    return (
      <Modal opened onClose={onClose} title={words.editTitle(name)} size="lg">
        {fresh.error === null ? (
          <Loading height={80} />
        ) : (
          <ProblemAlert error={fresh.error} onRetry={() => void fresh.refetch()} />
        )}
      </Modal>
    );
  }
  return <VariableDialog variable={fresh.data.variable} etag={fresh.data.etag} onClose={onClose} />;
}

interface VariableDialogProps {
  variable?: Variable;
  /** The ETag of the variable as it was read. A later change is not overwritten. */
  etag?: string | undefined;
  projectId?: string | undefined;
  onClose: () => void;
}

/** The form of a variable. A secret's value can be written but never read. */
export function VariableDialog({ variable, etag, projectId: givenProject = '', onClose }: VariableDialogProps) {
  const isNew = variable === undefined;
  const may = useMay();
  const projects = useQuery({ ...choices('listProjects'), enabled: isNew && may('projects:read') });
  const [name, setName] = useState(variable?.name ?? '');
  const [projectId, setProjectId] = useState(givenProject);
  const [description, setDescription] = useState(variable?.description ?? '');
  const [isSecret, setSecret] = useState(variable?.isSecret === true);
  const [secret, setSecretText] = useState('');
  const [written, setWritten] = useState(() => (variable === undefined ? NO_VALUE : writtenValue(variable.value)));
  const read = readValue(written);
  const wasSecret = variable?.isSecret === true;
  const keepsSecret = isSecret && wasSecret && secret === '';
  const isReady = name.trim() !== '' && (isSecret ? secret !== '' || wasSecret : 'value' in read);
  const value = isSecret ? secret : 'value' in read ? read.value : undefined;
  const act = async () => {
    const about = description.trim() === '' ? null : description.trim();
    if (variable === undefined) {
      const scope = projectId === '' ? {} : { projectId };
      await createVariable({ name: name.trim(), value, isSecret, description: about, ...scope });
    } else {
      await updateVariable(variable.id, etag, {
        name: name.trim(),
        isSecret,
        description: about,
        ...(keepsSecret ? {} : { value }),
      });
    }
    done(WORDS.saved);
  };
  return (
    <ActDialog
      title={isNew ? words.add : words.editTitle(variable.name)}
      button={WORDS.save}
      size="lg"
      isDisabled={!isReady}
      onAct={act}
      onClose={onClose}
      explain={(error) => (isChangedMeanwhile(error) ? <ChangedMeanwhile /> : undefined)}
    >
      <TextInput
        label={WORDS.name}
        data-autofocus
        maxLength={128}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {isNew && (
        <NativeSelect
          label={words.scope}
          value={projectId}
          onChange={(event) => setProjectId(event.currentTarget.value)}
          data={[
            { value: '', label: words.scopes.workspace },
            ...(projects.data ?? []).map((project) => ({ value: project.id, label: project.name ?? project.id })),
          ]}
        />
      )}
      <Checkbox
        label={words.isSecret}
        checked={isSecret}
        onChange={(event) => {
          setSecret(event.currentTarget.checked);
          // A masked secret is not a value to start from.
          if (!event.currentTarget.checked && wasSecret) setWritten(NO_VALUE);
        }}
      />
      {isSecret ? (
        <PasswordInput
          label={words.secretValue}
          description={wasSecret ? words.secretHelp : words.secretFirst}
          autoComplete="off"
          value={secret}
          onChange={(event) => setSecretText(event.currentTarget.value)}
        />
      ) : (
        <VariableInput written={written} onChange={setWritten} />
      )}
      <Textarea
        label={WORDS.optional(words.description)}
        autosize
        minRows={1}
        maxRows={6}
        maxLength={10_000}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
    </ActDialog>
  );
}

interface VariableInputProps {
  written: WrittenValue;
  onChange: (written: WrittenValue) => void;
}

function VariableInput({ written, onChange }: VariableInputProps) {
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
