import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { chooseConnection } from '../../../../domain/app/chooseConnection.ts';
import { holdsExpression } from '../../../../domain/expression/template.ts';
import type { Field, FieldOption } from '../../../../domain/field.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../domain/json.ts';
import type { Node } from '../../../../domain/workflow/definition.ts';
import { useMay } from '../../../app/api/me.ts';
import { useEditing, useFormPlace } from '../editing/Editing.tsx';
import { appConnections } from '../editing/queries.ts';
import { useEvaluated } from '../expression/ExpressionField.tsx';
import { nodeOf } from '../model/graphChanges.ts';
import { type InputSpec, inputSpecs } from '../model/inputSpecs.ts';
import { type AskedOptions, optionPages } from './queries.ts';
import { FIELDS } from './words.ts';

const words = FIELDS.options;

export interface LoadedOptionList {
  /** Why nothing can be loaded. */
  hint: string | undefined;
  options: readonly FieldOption[];
  /** The fields of the value, an object, if the service answered with fields. */
  fields: readonly Field[] | undefined;
  isLoading: boolean;
  hasMore: boolean;
  error: Error | null;
  loadMore: () => void;
  tryAgain: () => void;
}

interface Wanted {
  search: string;
  /** Whether to load at all: the list is open, or a stored value needs its label. */
  isWanted: boolean;
}

const PAUSE_MS = 300;
const MAX_SEARCH = 200;

/** Loads the options of a field of the node whose form is open. */
export function useLoadedOptions(spec: InputSpec, { search, isWanted }: Wanted): LoadedOptionList {
  const { draft } = useEditing();
  const node = nodeOf(draft.definition, useFormPlace().node);
  const connectionHint = useConnectionHint(node);
  const needed = useNeededInputs(spec, node);
  const hint = connectionHint ?? needed.hint;
  const phrase = search.trim().slice(0, MAX_SEARCH);
  const asked: AskedOptions = {
    ...{ appId: node?.appId ?? '', actionId: node?.actionId ?? '', field: spec.key, inputs: needed.inputs },
    ...(node?.connectionId ? { connectionId: node.connectionId } : {}),
    ...(phrase === '' ? {} : { search: phrase }),
  };
  const now = JSON.stringify(asked);
  const [settled] = useDebouncedValue(now, PAUSE_MS);
  const isSettled = settled === now && !needed.isPending;
  const enabled = isWanted && hint === undefined && isSettled;
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    ...optionPages(JSON.parse(settled) as AskedOptions),
    enabled,
  });
  const pages = isSettled ? (data?.pages ?? []) : [];
  return {
    hint,
    options: pages.flatMap((page) => ('options' in page ? page.options : [])),
    fields: pages.flatMap((page) => ('fields' in page ? [page.fields as Field[]] : []))[0],
    isLoading: isWanted && hint === undefined && (!isSettled || isFetching),
    hasMore: isSettled && hasNextPage,
    error: hint === undefined && isSettled && !isFetching ? error : null,
    loadMore: () => void fetchNextPage(),
    // A failed next page is read again by itself; refetching would replace the pages before it.
    tryAgain: () => void (data === undefined ? refetch() : fetchNextPage()),
  };
}

/** Mirrors how the API chooses a connection if the node names none. Without the list the API decides. */
function useConnectionHint(node: Node | undefined): string | undefined {
  const { apps } = useEditing();
  const may = useMay();
  const app = apps.find(({ appId }) => appId === node?.appId);
  const action = app?.actions.find(({ actionId }) => actionId === node?.actionId);
  const isOpen = action?.requiresConnection === true && !node?.connectionId;
  const enabled = isOpen && may('connections:read');
  const { data } = useQuery({ ...appConnections(app?.appId ?? ''), enabled });
  if (!enabled || data === undefined) return undefined;
  if (data.length === 0) return words.noConnection(app?.name ?? '');
  const usable = data.map(({ id, name, isDefault = false }) => ({ id, name, isDefault }));
  return chooseConnection(usable, { defaultCounts: true }) === undefined ? words.chooseConnection : undefined;
}

interface NeededInputs {
  inputs: JsonObject;
  hint?: string;
  /** An expression is being evaluated for the first time. */
  isPending?: boolean;
}

const isEmpty = (value: Json | undefined) => value === undefined || value === null || value === '';

/** Returns the values of the fields that the options depend on, expressions evaluated with the values for previews. */
function useNeededInputs({ loads }: InputSpec, node: Node | undefined): NeededInputs {
  const { apps } = useEditing();
  const { scope } = useFormPlace();
  const keys = loads?.dependsOn ?? [];
  const given = Object.fromEntries(keys.map((key) => [key, node?.inputs?.[key] ?? null]));
  const open = keys.find((key) => holdsExpression(given[key] ?? null));
  const evaluated = useEvaluated(open === undefined ? undefined : given, scope);
  const specs = (node && inputSpecs(node, apps)) ?? [];
  const specOf = (key: string) => specs.find((other) => other.key === key);
  const labelOf = (key: string) => specOf(key)?.label || key;
  // The API asks only for required ones.
  const isMissing = (key: string, value: Json | undefined) => isEmpty(value) && specOf(key)?.required === true;
  const missing = keys.find((key) => isMissing(key, given[key]));
  if (missing !== undefined) return { inputs: {}, hint: words.chooseFirst(labelOf(missing)) };
  if (open === undefined) return { inputs: given };
  if (evaluated === undefined && scope !== undefined) return { inputs: {}, isPending: true };
  const values = evaluated !== undefined && 'value' in evaluated ? evaluated.value : undefined;
  if (!isJsonObject(values)) return { inputs: {}, hint: words.unknown(labelOf(open)) };
  const unknown = keys.find((key) => isMissing(key, values[key]));
  return unknown === undefined ? { inputs: values } : { inputs: {}, hint: words.unknown(labelOf(unknown)) };
}
