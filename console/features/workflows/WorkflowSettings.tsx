import { Button, Group, List, Modal, NativeSelect, NumberInput, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { isProblem } from 'perdure-client';
import { type FormEvent, useState } from 'react';
import { choices } from '../../app/api/choices.ts';
import { useMay } from '../../app/api/me.ts';
import { CommonSettings } from '../../ui/form/CommonSettings.tsx';
import { ExposedTool } from '../../ui/form/ExposedTool.tsx';
import { done, failed } from '../../ui/notices.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { SaveProblem } from '../../ui/problem/SaveProblem.tsx';
import { usedBy } from '../../ui/UsedBy.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { deleteWorkflow, updateWorkflow } from './mutations.ts';
import {
  forgetWorkflow,
  workflow as readWorkflow,
  refreshWorkflowList,
  type WorkflowRead,
  type WorkflowWhole,
} from './queries/workflows.ts';
import { WORKFLOWS } from './words.ts';
import { type SettingsChange, type SettingsForm, settingsChange, settingsForm, UNITS_MS } from './workflowSettings.ts';

const words = WORKFLOWS.settings;

/** The settings that do not belong to the definition. Typed values stay while the page reads the workflow again. */
export function WorkflowSettings(read: WorkflowRead) {
  const may = useMay();
  const queries = useQueryClient();
  const [{ workflow, etag }, setBase] = useState(read);
  const reload = async () => setBase(await queries.fetchQuery({ ...readWorkflow(workflow.id), staleTime: 0 }));
  const save = useMutation({
    mutationFn: (body: SettingsChange) => updateWorkflow({ workflow, etag }, body),
    onSuccess: async () => {
      done(words.saved);
      void refreshWorkflowList(queries);
      await reload();
    },
  });
  const isManaged = workflow.managedByCode === true;
  const mayWrite = may('workflows:write');
  return (
    <Stack gap="md" maw={560}>
      {isManaged && <Text size="sm">{WORKFLOWS.managedMeans}</Text>}
      {!mayWrite && <Text size="sm">{words.readOnly}</Text>}
      <Form
        key={etag}
        workflow={workflow}
        isBusy={save.isPending}
        mayChange={(member) => mayWrite && (!isManaged || member === 'isActive')}
        onSave={(change) => save.mutate(change)}
      />
      {isProblem(save.error, 'MANAGED_BY_CODE') ? (
        <Text role="alert">{WORKFLOWS.managedMeans}</Text>
      ) : (
        <SaveProblem error={save.error} onReload={() => void reload().then(save.reset, failed)} />
      )}
      {mayWrite && <DeleteWorkflow workflow={workflow} />}
    </Stack>
  );
}

interface FormProps {
  workflow: WorkflowWhole;
  isBusy: boolean;
  mayChange: (member: keyof SettingsChange) => boolean;
  onSave: (change: SettingsChange) => void;
}

function Form({ workflow, isBusy, mayChange, onSave }: FormProps) {
  const { data: workflows = [] } = useQuery(choices('listWorkflows'));
  const [before] = useState(() => settingsForm(workflow));
  const [form, setForm] = useState(before);
  const [isUnchanged, setUnchanged] = useState(false);
  const set = (change: Partial<SettingsForm>) => {
    setUnchanged(false);
    setForm({ ...form, ...change });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const change = settingsChange(before, form);
    setUnchanged(Object.keys(change).length === 0);
    if (Object.keys(change).length > 0) onSave(change);
  };
  const asNumber = (value: string | number) => (value === '' ? '' : Number(value));
  return (
    <form onSubmit={submit}>
      <Stack>
        <CommonSettings words={words} form={form} mayChange={mayChange} onChange={set} />
        <NumberInput
          label={words.maxConcurrent}
          description={words.maxConcurrentHelp}
          min={1}
          max={1_000}
          allowDecimal={false}
          value={form.maxConcurrent}
          disabled={!mayChange('maxConcurrent')}
          onChange={(value) => set({ maxConcurrent: asNumber(value) })}
        />
        <Group align="end">
          <NumberInput
            label={words.timeout}
            description={words.timeoutHelp}
            min={0}
            style={{ flex: 1 }}
            value={form.timeout}
            disabled={!mayChange('timeoutMs')}
            onChange={(value) => set({ timeout: asNumber(value) })}
          />
          <NativeSelect
            label={words.unit}
            value={String(form.unitMs)}
            disabled={!mayChange('timeoutMs')}
            onChange={(event) => set({ unitMs: Number(event.currentTarget.value) })}
            data={UNITS_MS.map((unit) => ({ value: String(unit), label: words.units[String(unit)] ?? String(unit) }))}
          />
        </Group>
        <NativeSelect
          label={WORKFLOWS.errorWorkflow}
          description={words.errorWorkflowHelp}
          value={form.onFailureWorkflowId}
          disabled={!mayChange('onFailureWorkflowId')}
          onChange={(event) => set({ onFailureWorkflowId: event.currentTarget.value })}
          data={[
            { value: '', label: words.noErrorWorkflow },
            ...workflows
              .filter(({ id }) => id !== workflow.id)
              .map(({ id, name }) => ({ value: id, label: name ?? id })),
          ]}
        />
        <ExposedTool
          form={form}
          help={words.isToolHelp}
          nameHelp={words.toolNameHelp}
          isDisabled={!mayChange('exposeAsTool')}
          onChange={set}
        />
        {mayChange('isActive') && (
          <Group>
            <Button type="submit" loading={isBusy}>
              {words.save}
            </Button>
            <Text size="sm" role="status">
              {isUnchanged && words.nothing}
            </Text>
          </Group>
        )}
      </Stack>
    </form>
  );
}

function DeleteWorkflow({ workflow }: { workflow: WorkflowWhole }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const remove = useMutation({
    mutationFn: () => deleteWorkflow(workflow.id),
    onSuccess: async () => {
      done(words.removed);
      await navigate({ to: '/workflows' });
      forgetWorkflow(queries, workflow.id);
    },
  });
  const close = () => {
    remove.reset();
    setOpen(false);
  };
  return (
    <>
      <Group mt="lg">
        <Button variant="outline" color="red" c="var(--ink-bad)" onClick={() => setOpen(true)}>
          {words.removeConfirm}
        </Button>
      </Group>
      <Modal opened={isOpen} onClose={close} title={words.removeTitle(workflow.name)}>
        <Stack>
          <List>
            {words.removeMeans.map((sentence) => (
              <List.Item key={sentence}>{sentence}</List.Item>
            ))}
          </List>
          {usedBy(remove.error, words.inUse)}
          {remove.error !== null && !isProblem(remove.error, 'IN_USE') && <ProblemAlert error={remove.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {WORDS.executions.dismiss}
            </Button>
            <Button color="red.9" loading={remove.isPending} onClick={() => remove.mutate()}>
              {words.remove}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
