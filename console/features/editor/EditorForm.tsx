import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, Suspense, useEffect, useLayoutEffect, useMemo } from 'react';
import { TRIGGER_ID } from '../../../domain/workflow/definition.ts';
import { loopsAround } from '../../../domain/workflow/parents.ts';
import { useMay } from '../../app/api/me.ts';
import { Loading } from '../../ui/Loading.tsx';
import { lazyPart } from '../../ui/load/lazyPart.ts';
import { CopyButtons, type Copying } from './CopyButtons.tsx';
import { FormPlaceProvider, useEditing } from './editing/Editing.tsx';
import { variableNames } from './editing/queries.ts';
import { nodeOf } from './model/graphChanges.ts';
import { labelOf } from './model/inputSpecs.ts';
import { knownValues } from './model/knownValues.ts';
import type { Spot } from './model/palette.ts';
import { RULES } from './model/rules.ts';
import { scopeOf } from './model/scopeOf.ts';
import { SettingsPanel } from './SettingsPanel.tsx';
import { EDITOR } from './words.ts';

const loadNodePanel = () => import('./NodePanel.tsx');
const NodePanel = lazyPart(loadNodePanel, 'NodePanel');

const loadTriggerPanel = () => import('./TriggerPanel.tsx');
const TriggerPanel = lazyPart(loadTriggerPanel, 'TriggerPanel');

const loadSampleForm = () => import('./samples/SampleForm.tsx');
const SampleForm = lazyPart(loadSampleForm, 'SampleForm');

let scopes = 0;

interface EditorFormProps extends Copying {
  chosen: readonly string[];
  place: RefObject<HTMLElement | null>;
  onAdd: (spot: Spot) => void;
  formKey: (id: string) => number;
  onEnter: (field: string | undefined) => void;
  onLeave: () => void;
}

export function EditorForm({ chosen, place, onAdd, formKey, onEnter, onLeave, ...copying }: EditorFormProps) {
  const { draft, apps, sample, isReadOnly } = useEditing();
  const may = useMay();
  const { definition } = draft;
  const [only] = chosen;
  const id = chosen.length === 1 ? only : undefined;
  const node = nodeOf(definition, id);
  useLayoutEffect(() => {
    // The form of another node starts at the top.
    place.current?.scrollTo({ top: 0 });
  }, [place, id]);
  useEffect(() => {
    // Loaded after everything that is visible at first. If this load fails, they are loaded again when shown.
    void Promise.all([loadNodePanel(), loadTriggerPanel(), import('./NodeTest.tsx'), loadSampleForm()]).catch(
      () => undefined,
    );
  }, []);
  const { data: functions = [] } = useQuery({
    queryKey: ['rules', 'functions'],
    queryFn: () => RULES.ask({ ask: 'functions' }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data: variables } = useQuery({ ...variableNames(), enabled: may('variables:read') });
  const names = useMemo(() => (variables ?? []).map(({ name }) => name), [variables]);
  const around =
    node === undefined ? '' : loopsAround(new Map(definition.nodes.map((one) => [one.id, one])), node.id).join();
  const scope = useMemo(() => {
    if (sample === undefined) return undefined;
    scopes += 1;
    return { name: `scope ${scopes}`, values: scopeOf(sample, definition, node?.id) };
  }, [sample, node?.id, around]);
  useEffect(() => {
    if (scope !== undefined) RULES.give({ give: 'scope', name: scope.name, scope: scope.values });
  }, [scope]);
  const form = useMemo(() => {
    const where = id === TRIGGER_ID ? 'trigger' : node === undefined ? 'output' : { node: node.id };
    return {
      node: id,
      known: knownValues(definition, where, apps, names, scope?.values),
      functions,
      nameOf: (id: string) => labelOf(nodeOf(definition, id) ?? { id }),
      scope: scope?.name,
    };
  }, [definition, id, node, apps, names, scope, functions]);
  return (
    <FormPlaceProvider value={form}>
      <section
        ref={place}
        className="editor-form"
        aria-label={EDITOR.node.panel}
        onFocus={({ target }) => onEnter(target.closest<HTMLElement>('[data-field]')?.dataset.field)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !event.defaultPrevented) onLeave();
        }}
      >
        {chosen.length > 1 && (
          <>
            <Text mb="xs">{EDITOR.node.several(chosen.length)}</Text>
            {!isReadOnly && (
              <Group gap="xs">
                <CopyButtons {...copying} />
              </Group>
            )}
          </>
        )}
        {chosen.length === 0 && <SettingsPanel />}
        <Suspense fallback={<Loading height={420} />}>
          {id === TRIGGER_ID && <TriggerPanel />}
          {node !== undefined && <NodePanel key={formKey(node.id)} node={node} onAdd={onAdd} {...copying} />}
        </Suspense>
        {id !== undefined && (
          <Suspense fallback={null}>
            <SampleForm key={node === undefined ? id : formKey(id)} node={node} />
          </Suspense>
        )}
      </section>
    </FormPlaceProvider>
  );
}
