import type { AppManifest, FieldEditor, InputConfig } from '../../../../domain/app/manifest.ts';
import { durationWritten } from '../../../../domain/durationWords.ts';
import {
  type InputField as ConfigField,
  type FieldOption,
  type FieldType,
  isLoaded,
} from '../../../../domain/field.ts';
import type { Json, JsonObject } from '../../../../domain/json.ts';
import type { FieldReference, ReferenceKind } from '../../../../domain/reference/reference.ts';
import type { Node, NodeType } from '../../../../domain/workflow/definition.ts';
import type { ResourceKind } from '../../catalogue/queries.ts';
import { EDITOR, INPUT_WORDS } from '../words.ts';

const words = EDITOR.input;

/** Kinds with a list to select from; the others are typed as text. */
const RESOURCE_KINDS: readonly string[] = [
  'workflow',
  'agent',
  'queue',
  'objectType',
  'knowledge',
] satisfies ResourceKind[];

export function isResourceKind(kind: ReferenceKind): kind is ResourceKind {
  return RESOURCE_KINDS.includes(kind);
}

type InputKind = FieldType | 'duration' | 'fields' | 'cases' | 'object' | 'submitters' | FieldEditor;

export interface InputSpec {
  key: string;
  label: string;
  kind: InputKind;
  required: boolean;
  help?: string;
  options?: FieldOption[];
  /** Loaded from the service of the app: one option, several, or the fields of an object. `kind` is typed instead. */
  loads?: { what: LoadedWhat; dependsOn: readonly string[] };
  /** The default of the action, in words. */
  preset?: string;
  isMostlyObject?: boolean;
  refersTo?: FieldReference;
  /** The resource may be referred to by slug instead, under another key. Exactly one of both is set. */
  orSlug?: SlugInput;
}

type LoadedWhat = 'one' | 'several' | 'fields';

export interface SlugInput {
  key: string;
  help: string | undefined;
  kind: ResourceKind;
}

type ControlType = Exclude<NodeType, 'action'>;
type Bare = [key: string, kind: InputKind, more?: Partial<InputSpec>];

const REQUIRED = { required: true };
const choices = (...values: string[]) => ({
  options: values.map((value) => ({ value, label: INPUT_WORDS.options[value] ?? value })),
});

const preset = (value: string) => ({ preset: INPUT_WORDS.options[value] ?? value });

const KEEP_OUTPUTS: Bare = ['keepOutputs', 'boolean', { preset: words.yes }];

const CONTROL: Record<ControlType, Bare[]> = {
  condition: [['condition', 'boolean', REQUIRED]],
  switch: [
    ['value', 'json'],
    ['cases', 'cases', REQUIRED],
  ],
  forEach: [
    ['items', 'json', REQUIRED],
    ['concurrency', 'number'],
    ['onItemError', 'select', { ...choices('stop', 'continue'), ...preset('stop') }],
    KEEP_OUTPUTS,
  ],
  repeat: [
    ['times', 'number'],
    ['while', 'boolean'],
    ['until', 'boolean'],
    ['maximumIterations', 'number'],
    ['pauseMs', 'duration'],
    KEEP_OUTPUTS,
  ],
  input: [
    ['title', 'text'],
    ['instructions', 'longText'],
    ['fields', 'fields', REQUIRED],
    ['submitters', 'submitters'],
    ['approvals', 'json'],
    ['expiresInMs', 'duration'],
    ['excludeStarter', 'boolean', { preset: words.no }],
  ],
  delay: [
    ['forMs', 'duration'],
    ['until', 'text'],
  ],
  runWorkflow: [
    ['workflowId', 'text', { refersTo: { kind: 'workflow', by: 'id' } }],
    ['slug', 'text', { refersTo: { kind: 'workflow', by: 'slug' } }],
    ['input', 'object'],
    ['wait', 'boolean', { preset: words.yes }],
  ],
  respond: [
    ['status', 'number'],
    ['headers', 'object'],
    ['body', 'json'],
    ['encoding', 'select', { ...choices('base64'), ...preset('plain') }],
  ],
  stop: [
    ['outcome', 'select', { ...REQUIRED, ...choices('completed', 'failed') }],
    ['message', 'text'],
    ['output', 'json'],
  ],
};

const CONTROL_SPECS = Object.fromEntries(
  (Object.keys(CONTROL) as ControlType[]).map((type) => {
    const specs = CONTROL[type].map(([key, kind, more]): InputSpec => {
      const { label, help } = INPUT_WORDS.inputs[type]?.[key] ?? { label: key, help: undefined };
      return { key, kind, label, required: false, ...(help === undefined ? {} : { help }), ...more };
    });
    return [type, withOneName(specs)];
  }),
) as Record<ControlType, InputSpec[]>;

/** Returns the inputs of a node in form order; undefined for an action that is not in the catalogue. */
export function inputSpecs(node: Node, apps: readonly AppManifest[]): InputSpec[] | undefined {
  if (node.type !== 'action') return CONTROL_SPECS[node.type];
  const action = apps
    .find(({ appId }) => appId === node.appId)
    ?.actions.find(({ actionId }) => actionId === node.actionId);
  return action && withOneName(specsOfConfig(action.inputConfig));
}

/** Merges an id and an adjacent slug of the same resource into one field. */
export function withOneName(specs: InputSpec[]): InputSpec[] {
  return specs.flatMap((spec, index) => {
    if (slugOf(specs[index - 1], spec) !== undefined) return [];
    const orSlug = slugOf(spec, specs[index + 1]);
    if (orSlug === undefined) return [spec];
    const { help: _, ...rest } = spec;
    return [{ ...rest, required: true, orSlug }];
  });
}

/** Returns the second input if it is the slug of the resource whose id is the first. */
function slugOf(first: InputSpec | undefined, second: InputSpec | undefined): SlugInput | undefined {
  const [one, other] = [first?.refersTo, second?.refersTo];
  if (second === undefined || one?.by !== 'id' || other?.by !== 'slug') return undefined;
  const { key, help } = second;
  return one.kind === other.kind && isResourceKind(one.kind) ? { key, help, kind: one.kind } : undefined;
}

const LOADED: Partial<Record<FieldType, LoadedWhat>> = { multiSelect: 'several', json: 'fields' };

function offeredBy(
  type: FieldType,
  options: ConfigField['options'],
): Pick<InputSpec, 'options' | 'loads'> & { type: FieldType } {
  if (options === undefined) return { type };
  if (!isLoaded(options)) return { type, options };
  const what = LOADED[type] ?? 'one';
  return { type: what === 'one' ? 'text' : 'json', loads: { what, dependsOn: options.dependsOn ?? [] } };
}

export function specsOfConfig({
  fields,
  refersTo = {},
  objects = [],
  mostlyObjects = [],
  editors = {},
}: InputConfig): InputSpec[] {
  return fields.map(({ type: given, default: preset, options, ...rest }) => {
    const { type, ...offered } = offeredBy(given, options);
    const field = { ...rest, ...offered };
    const reference = refersTo[field.key];
    const kind: InputKind = editors[field.key] ?? (objects.includes(field.key) ? 'object' : type);
    const own = type === 'number' && field.key.endsWith('Ms') ? asDuration(field) : { ...field, kind };
    const begin = mostlyObjects.includes(field.key) ? { isMostlyObject: true } : {};
    return { ...own, ...begin, ...presetOf(own, preset), ...(reference === undefined ? {} : { refersTo: reference }) };
  });
}

/** Describes the default: for choices as the empty option, for other fields in the help. */
function presetOf(spec: Omit<InputSpec, 'preset'>, preset: Json | undefined): Pick<InputSpec, 'help' | 'preset'> {
  const { kind, help, options = [] } = spec;
  if (preset === undefined || preset === '') return {};
  if (kind === 'boolean') return { preset: preset === true ? words.yes : words.no };
  if (kind === 'select') return { preset: options.find(({ value }) => value === preset)?.label ?? String(preset) };
  const isText = kind === 'text' || kind === 'longText';
  const text = kind === 'duration' ? durationWritten(Number(preset)) : JSON.stringify(preset);
  const empty = words.empty(isText ? `“${preset}”` : text);
  return { help: help === undefined ? empty : `${help.replace(/\.?$/, '.')} ${empty}` };
}

/** The field takes units, so `(ms)` is removed from its label. */
function asDuration<Named extends { label: string }>(field: Named): Named & { kind: 'duration' } {
  return { ...field, label: field.label.replace(/ \(ms\)$/, ''), kind: 'duration' };
}

export function labelOf({ name, id }: Pick<Node, 'name' | 'id'>): string {
  return name ?? id;
}

export function kindOfNode(node: Node, apps: readonly AppManifest[]): string {
  if (node.type !== 'action') return EDITOR.types[node.type];
  const app = apps.find(({ appId }) => appId === node.appId);
  const action = app?.actions.find(({ actionId }) => actionId === node.actionId);
  return `${app?.name ?? node.appId ?? '?'}: ${action?.name ?? node.actionId ?? '?'}`;
}

export interface ConfigProps {
  config: JsonObject;
  set: (member: string, value: Json | undefined) => void;
  replace: (config: JsonObject) => void;
}
