import { NativeSelect, Stack, Textarea, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { lazyPart } from '../../ui/load/lazyPart.ts';
import { slugOf } from '../../ui/slug.ts';
import { resources } from '../catalogue/queries.ts';
import { useEditing, useProblem } from './editing/Editing.tsx';
import { projects } from './editing/queries.ts';
import { JsonField } from './fields/JsonField.tsx';
import { NumberField } from './fields/NumberField.tsx';
import type { Draft } from './model/draft.ts';
import { EDITOR } from './words.ts';

const words = EDITOR.settings;
const LabelsField = lazyPart(() => import('./LabelsField.tsx'), 'LabelsField');

export function SettingsPanel() {
  const { draft, workflowId, isReadOnly, change, changeDefinition } = useEditing();
  const isNew = workflowId === undefined;
  const { data: allProjects } = useQuery({ ...projects(), enabled: isNew });
  const { data: workflows = [] } = useQuery(resources('workflow', 'id'));
  const problems = {
    name: useProblem('name'),
    slug: useProblem('slug'),
    projectId: useProblem('projectId'),
    output: useProblem('output'),
    onFailureWorkflowId: useProblem('onFailureWorkflowId'),
  };
  const set = (values: Partial<Draft>, about = '') => change((now) => ({ ...now, ...values }), about);
  const rename = (name: string) => {
    const follows = isNew && draft.slug === slugOf(draft.name);
    set({ name, ...(follows ? { slug: slugOf(name) } : {}) }, 'name');
  };
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {words.title}
      </Title>
      <TextInput
        label={words.name}
        required
        maxLength={200}
        data-field="name"
        error={problems.name}
        disabled={isReadOnly}
        value={draft.name}
        onChange={({ currentTarget }) => rename(currentTarget.value)}
      />
      <TextInput
        label={words.slug}
        description={words.slugHelp}
        required
        data-field="slug"
        error={problems.slug}
        disabled={isReadOnly || !isNew}
        value={draft.slug}
        onChange={({ currentTarget }) => set({ slug: currentTarget.value }, 'slug')}
      />
      {isNew && (
        <NativeSelect
          label={words.project}
          required
          data-field="projectId"
          error={problems.projectId}
          data={[
            { value: '', label: EDITOR.trigger.choose },
            ...(allProjects ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={draft.projectId}
          onChange={({ currentTarget }) => set({ projectId: currentTarget.value })}
        />
      )}
      <Textarea
        label={words.description}
        autosize
        minRows={2}
        maxRows={8}
        disabled={isReadOnly}
        value={draft.description}
        onChange={({ currentTarget }) => set({ description: currentTarget.value }, 'description')}
      />
      <JsonField
        label={words.output}
        help={words.outputHelp}
        field="output"
        error={problems.output}
        value={draft.definition.output}
        onChange={(output) =>
          changeDefinition(({ output: _, ...rest }) => (output === undefined ? rest : { ...rest, output }), 'output')
        }
      />
      <Suspense fallback={null}>
        <LabelsField />
      </Suspense>
      <NumberField
        label={words.maxConcurrent}
        field="maxConcurrent"
        value={draft.maxConcurrent}
        onChange={(value) => set({ maxConcurrent: value ?? null }, 'maxConcurrent')}
      />
      <NumberField
        isDuration
        label={words.timeout}
        field="timeoutMs"
        value={draft.timeoutMs}
        onChange={(value) => set({ timeoutMs: value ?? null }, 'timeoutMs')}
      />
      <NativeSelect
        label={words.onFailure}
        data-field="onFailureWorkflowId"
        error={problems.onFailureWorkflowId}
        disabled={isReadOnly}
        data={[{ value: '', label: words.noWorkflow }, ...workflows.filter(({ value }) => value !== workflowId)]}
        value={draft.onFailureWorkflowId ?? ''}
        onChange={({ currentTarget }) => set({ onFailureWorkflowId: currentTarget.value || null })}
      />
      <NativeSelect
        label={words.orientation}
        disabled={isReadOnly}
        data={[
          { value: 'horizontal', label: words.orientations.horizontal },
          { value: 'vertical', label: words.orientations.vertical },
        ]}
        value={draft.orientation}
        onChange={({ currentTarget }) => set({ orientation: currentTarget.value as Draft['orientation'] })}
      />
    </Stack>
  );
}
