import { Button, Group, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment, Suspense, useEffect, useRef, useState } from 'react';
import type { Json, JsonObject } from '../../../domain/json.ts';
import { isLoop, type Node } from '../../../domain/workflow/definition.ts';
import { NODE_ID } from '../../../domain/workflow/nodeId.ts';
import { useMay } from '../../app/api/me.ts';
import { lazyPart } from '../../ui/load/lazyPart.ts';
import { CopyButtons, type Copying } from './CopyButtons.tsx';
import { useEditing, useFormPlace, useProblem } from './editing/Editing.tsx';
import { appConnections } from './editing/queries.ts';
import { NoneYet } from './fields/Choices.tsx';
import { FailureFields } from './fields/FailureFields.tsx';
import { InputField, LazyField } from './fields/InputField.tsx';
import { NodeEdges } from './graph/NodeEdges.tsx';
import { nodeOf } from './model/graphChanges.ts';
import { inputSpecs, kindOfNode, labelOf } from './model/inputSpecs.ts';
import { idOfName, type Spot } from './model/palette.ts';
import { formWords } from './model/placedProblems.ts';
import { EDITOR } from './words.ts';

const words = EDITOR.node;

const loadNodeTest = () => import('./NodeTest.tsx');
const NodeTest = lazyPart(loadNodeTest, 'NodeTest');

/** Lazy, because few nodes refer to another workflow or an agent. */
const NamedResource = lazyPart(() => import('./fields/NamedResource.tsx'), 'NamedResource');

const CalledFields = lazyPart(() => import('./fields/MissingFields.tsx'), 'CalledFields');

const AttributeFields = lazyPart(() => import('./fields/MissingFields.tsx'), 'AttributeFields');

interface NodePanelProps extends Copying {
  node: Node;
  onAdd: (spot: Spot) => void;
}

export function NodePanel({ node, onAdd, ...copying }: NodePanelProps) {
  const { apps, draft, isReadOnly, savedNodes, changeNode, renameNode } = useEditing();
  const { id } = node;
  const nameBefore = useRef(node.name);
  const followName = () => {
    // The node is stored under this id, and other resources may refer to it.
    if (isReadOnly || savedNodes.has(id) || node.name === nameBefore.current) return;
    const to = idOfName(draft.definition, node, nameBefore.current);
    if (to !== undefined && to !== id) renameNode(id, to, `name ${id}`);
  };
  const specs = inputSpecs(node, apps);
  const { name: nameProblem, inputs: inputsFault } = { name: useProblem('name'), inputs: useOwnProblem('inputs') };
  const inputsProblem = inputsFault === undefined ? undefined : formWords(inputsFault, specs);
  const setInputs = (key: string, members: [key: string, value: Json | undefined][]) =>
    changeNode(
      id,
      (now) => ({ ...now, inputs: members.reduce((inputs, [of, value]) => withMember(inputs, of, value), now.inputs) }),
      `input ${id} ${key}`,
    );
  const isNaming = specs?.some(({ orSlug }) => orSlug !== undefined) === true;
  return (
    <Stack gap="sm">
      <div>
        <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
          {labelOf(node)}
        </Title>
        <Text size="sm" c="var(--ink-neutral)">
          {kindOfNode(node, apps)}
        </Text>
      </div>
      {!isReadOnly && (
        <Group gap={6}>
          <Button size="xs" px={10} variant="default" onClick={() => onAdd({ after: id })}>
            {words.addAfter}
          </Button>
          {isLoop(node.type) && (
            <Button size="xs" px={10} variant="default" onClick={() => onAdd({ inside: id })}>
              {words.addInside}
            </Button>
          )}
          <CopyButtons {...copying} />
        </Group>
      )}
      <TextInput
        label={words.name}
        data-field="name"
        error={nameProblem}
        disabled={isReadOnly}
        value={node.name ?? ''}
        onFocus={() => {
          nameBefore.current = node.name;
        }}
        onBlur={followName}
        onChange={({ currentTarget: { value } }) =>
          changeNode(id, ({ name: _, ...rest }) => (value === '' ? rest : { ...rest, name: value }), `name ${id}`)
        }
      />
      <NodeId id={id} />
      {node.type === 'action' && <ConnectionField node={node} />}
      <Title order={3} size="h6">
        {words.inputs}
      </Title>
      {inputsProblem !== undefined && !isNaming && (
        <Text size="sm" c="var(--ink-bad)" role="alert">
          {inputsProblem}
        </Text>
      )}
      {specs === undefined && <Text size="sm">{words.unknownAction}</Text>}
      {specs?.length === 0 && <Text size="sm">{words.noInputs}</Text>}
      {specs?.map((spec) =>
        spec.orSlug === undefined ? (
          <Fragment key={spec.key}>
            <InputField
              spec={spec}
              field={`inputs.${spec.key}`}
              value={node.inputs?.[spec.key]}
              onChange={(value) => setInputs(spec.key, [[spec.key, value]])}
            />
            <Suspense fallback={null}>
              <OfferedFields
                node={node}
                member={spec.key}
                onChange={(value) => setInputs(spec.key, [[spec.key, value]])}
              />
            </Suspense>
          </Fragment>
        ) : (
          <LazyField key={spec.key} field="inputs">
            <NamedResource
              spec={spec}
              orSlug={spec.orSlug}
              inputs={node.inputs}
              problem={inputsProblem}
              onChange={(members) => setInputs(spec.key, members)}
            />
          </LazyField>
        ),
      )}
      <FailureFields node={node} />
      <NodeEdges id={id} onAdd={onAdd} />
      <Suspense fallback={null}>
        <NodeTest node={node} />
      </Suspense>
    </Stack>
  );
}

/** Offers the members of an object input that the called workflow or the entity type defines. */
function OfferedFields({ node, member, onChange }: { node: Node; member: string; onChange: (value: Json) => void }) {
  const { type, appId, actionId, inputs } = node;
  if (type === 'runWorkflow' && member === 'input') return <CalledFields inputs={inputs} onChange={onChange} />;
  if (appId !== 'objects' || actionId !== 'create' || member !== 'attributes') return null;
  return <AttributeFields inputs={inputs} onChange={onChange} />;
}

function withMember(inputs: JsonObject | undefined, key: string, value: Json | undefined): JsonObject | undefined {
  const { [key]: _, ...rest } = inputs ?? {};
  if (value === undefined) return rest;
  // An existing key keeps its place, because the code shows the inputs in their order.
  return inputs !== undefined && key in inputs ? { ...inputs, [key]: value } : { ...rest, [key]: value };
}

function useOwnProblem(field: string): string | undefined {
  const { problems } = useEditing();
  const { node } = useFormPlace();
  return problems.find((one) => one.node === node && one.field === field)?.message;
}

/** The id of a node. Leaving the field renames every reference to it. */
function NodeId({ id }: { id: string }) {
  const { draft, isReadOnly, renameNode } = useEditing();
  const [text, setText] = useState(id);
  useEffect(() => setText(id), [id]);
  const isTaken = text !== id && (text === 'trigger' || nodeOf(draft.definition, text) !== undefined);
  const problem = !NODE_ID.test(text) ? words.idWrong : isTaken ? words.idTaken : undefined;
  const rename = () => {
    if (problem !== undefined || text === id) return setText(id);
    renameNode(id, text);
  };
  return (
    <TextInput
      label={words.id}
      description={words.idHelp}
      data-field="id"
      error={problem}
      disabled={isReadOnly}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={rename}
      onKeyDown={({ key }) => {
        if (key === 'Enter') rename();
      }}
    />
  );
}

function ConnectionField({ node }: { node: Node }) {
  const { apps, isReadOnly, changeNode } = useEditing();
  const may = useMay();
  const error = useProblem('connectionId');
  const app = apps.find(({ appId }) => appId === node.appId);
  const hasTypes = (app?.connectionTypes.length ?? 0) > 0;
  const mayRead = may('connections:read');
  const { data } = useQuery({ ...appConnections(node.appId ?? ''), enabled: hasTypes && mayRead });
  if (!hasTypes) return null;
  const given = node.connectionId ?? '';
  const isKnown = given === '' || data?.some(({ id }) => id === given);
  return (
    <NativeSelect
      label={words.connection}
      data-field="connectionId"
      error={error}
      disabled={isReadOnly || !mayRead}
      description={data?.length === 0 ? <NoneYet kind="connection" /> : undefined}
      data={[
        { value: '', label: words.connectionDefault },
        ...(isKnown ? [] : [{ value: given, label: given }]),
        ...(data ?? []).map(({ id, name, status }) => ({
          value: id,
          label: status === 'needsReconnect' ? `${name} (${words.needsReconnect})` : name,
        })),
      ]}
      value={given}
      onChange={({ currentTarget: { value } }) =>
        changeNode(node.id, ({ connectionId: _, ...rest }) => (value === '' ? rest : { ...rest, connectionId: value }))
      }
    />
  );
}
