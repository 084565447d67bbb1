import { ActionIcon, Group, Input, Text } from '@mantine/core';
import { IconVariablePlus } from '@tabler/icons-react';
import {
  createContext,
  type ReactNode,
  type RefObject,
  Suspense,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { holdsExpression } from '../../../../domain/expression/template.ts';
import type { Json } from '../../../../domain/json.ts';
import { TRIGGER_ID } from '../../../../domain/workflow/definition.ts';
import type { CodeArea as CodeAreaPart, SelectedRange } from '../../../ui/code/CodeArea.tsx';
import { FullScreenButton } from '../../../ui/code/FullScreenButton.tsx';
import type { Complete } from '../../../ui/code/fieldCompletion.ts';
import { lazyPart } from '../../../ui/load/lazyPart.ts';
import { newReaders } from '../../../ui/load/readers.ts';
import { completionsAt } from '../editing/completions.ts';
import { useEditing, useFormPlace } from '../editing/Editing.tsx';
import { type Evaluated, RULES } from '../model/rules.ts';
import { EDITOR } from '../words.ts';

const words = EDITOR.values;

export const FullScreenEditor = lazyPart(() => import('../../../ui/code/FullScreenEditor.tsx'), 'FullScreenEditor');

interface ExpressionFieldProps {
  label: string;
  value: string;
  previewed: Json | undefined;
  onChange: (text: string) => void;
  required?: boolean | undefined;
  help?: string | undefined;
  error?: string | undefined;
  /** The field's place in the form, which problems refer to. */
  field: string;
  isTall?: boolean;
  /** Shows no label; screen readers still get it. */
  isBare?: boolean;
  /** The expression may read the trigger although the field is in the trigger's form, whose values are mostly plain. */
  readsTrigger?: boolean;
  /** Whether an insertion outside of expressions replaces the whole text, because the field takes one value. */
  isOneValue?: (text: string, at: number) => boolean;
}

const NEVER = () => false;
/** `isOneValue` of a field that never takes a text. */
export const ALWAYS = () => true;

/** A text with `{{ }}`: completes the values that it can read, and previews the result. */
export function ExpressionField({
  label,
  value,
  previewed,
  onChange,
  required = false,
  help,
  error,
  field,
  isTall = false,
  isBare = false,
  readsTrigger = false,
  isOneValue = NEVER,
}: ExpressionFieldProps) {
  const { isReadOnly } = useEditing();
  const place = useFormPlace();
  const now = useRef(place);
  now.current = place;
  const helpId = useId();
  const [asked, setAsked] = useState(0);
  const complete = useMemo(
    () => (text: string, at: number, isAsked: boolean) => {
      const found = completionsAt(text, at, now.current, isAsked);
      return found?.isWhole === true && isOneValue(text, at) ? { ...found, replacesAll: true } : found;
    },
    [isOneValue],
  );
  const ask = () => {
    loadCodeArea();
    setAsked((count) => count + 1);
  };
  const changes = isReadOnly ? {} : { onChange };
  const preview = <Preview value={previewed} scope={place.scope} label={label} />;
  const fullScreen = (size: number) => (
    <FullScreenButton title={label} size={size}>
      {() => (
        <Suspense fallback={null}>
          <FullScreenEditor
            isField
            language="text"
            label={label}
            value={value}
            complete={complete}
            known={place.scope}
            {...changes}
          />
          {error !== undefined && <Input.Error>{error}</Input.Error>}
          {preview}
        </Suspense>
      )}
    </FullScreenButton>
  );
  const isPlain = isReadOnly || (place.node === TRIGGER_ID && !readsTrigger);
  const aside = useAside(
    isPlain && !isBare ? undefined : (
      <>
        {!isPlain && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={words.insert}
            title={words.insertHelp}
            onClick={ask}
          >
            <IconVariablePlus size={16} aria-hidden />
          </ActionIcon>
        )}
        {isBare && fullScreen(36)}
      </>
    ),
  );
  return (
    <Input.Wrapper
      label={isBare ? undefined : label}
      labelElement="div"
      className="editor-wide"
      required={required}
      {...(help === undefined ? {} : { description: help })}
      descriptionProps={{ id: helpId }}
      error={error}
      errorProps={{ style: { whiteSpace: 'pre-wrap' } }}
      data-field={field}
      {...aside}
    >
      <ExpressionText
        label={label}
        value={value}
        minHeight={isTall ? '4.5rem' : '2rem'}
        complete={complete}
        asked={asked}
        known={place.scope}
        onChange={isReadOnly ? undefined : onChange}
      />
      {preview}
      {!isBare && fullScreen(24)}
    </Input.Wrapper>
  );
}

interface ExpressionTextProps {
  label: string;
  value: string;
  onChange: ((text: string) => void) | undefined;
  minHeight: string;
  complete: Complete;
  /** Counts the requests to open the list of completions. */
  asked: number;
  /** Changes when the available values change. */
  known: unknown;
}

/**
 * Shows a plain field until it is entered, because the code editor is large. It then takes over focus and selection.
 */
function ExpressionText({ label, value, onChange, minHeight, complete, asked, known }: ExpressionTextProps) {
  const CodeArea = useCodeArea();
  const [isComposing, setIsComposing] = useState(false);
  /** The selection of the plain field if it had the focus when it was removed. */
  const left = useRef<SelectedRange>(undefined);
  const shared = { label, value, minHeight };
  if (CodeArea === undefined || isComposing) {
    return <PlainText {...shared} {...{ onChange, left }} onComposing={setIsComposing} />;
  }
  const changes = onChange === undefined ? {} : { onChange };
  return <CodeArea isField language="text" {...shared} {...{ complete, asked, known, ...changes }} takesFocus={left} />;
}

interface PlainTextProps extends Omit<ExpressionTextProps, 'complete' | 'asked' | 'known'> {
  left: RefObject<SelectedRange | undefined>;
  /** During composition (IME input) the plain field must stay. */
  onComposing: (isComposing: boolean) => void;
}

function PlainText({ label, value, minHeight, onChange, left, onComposing }: PlainTextProps) {
  const place = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const field = place.current;
    return () => {
      if (field === null || document.activeElement !== field) return;
      left.current = { from: field.selectionStart, to: field.selectionEnd };
    };
  }, [left]);
  return (
    <textarea
      ref={place}
      className="editor-text"
      aria-label={label}
      rows={value.split('\n').length}
      spellCheck={false}
      readOnly={onChange === undefined}
      style={{ minHeight }}
      value={value}
      onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
      onFocus={loadCodeArea}
      onPointerEnter={loadCodeArea}
      onCompositionStart={() => onComposing(true)}
      onCompositionEnd={() => onComposing(false)}
    />
  );
}

const SHOWN = 300;

function Preview({ value, scope, label }: { value: Json | undefined; scope: string | undefined; label: string }) {
  const { hasRun, sample } = useEditing();
  const isOpen = value !== undefined && holdsExpression(value);
  const shown = useEvaluated(isOpen ? value : undefined, scope);
  if (!isOpen) return null;
  if (scope === undefined) {
    if (hasRun === undefined) return null;
    return (
      <Text size="xs" c="var(--ink-neutral)">
        {hasRun ? EDITOR.input.noSample : EDITOR.input.notRun}
      </Text>
    );
  }
  if (shown === undefined) return null;
  const isValue = 'value' in shown;
  // Without an execution, samples may not cover all that the expression reads, so a failure is not an error.
  const tone = isValue ? 'good' : sample?.executionId === '' ? 'neutral' : 'bad';
  return (
    <output aria-label={`${EDITOR.input.preview}: ${label}`} className="editor-preview" data-tone={tone}>
      {isValue ? `= ${cut(JSON.stringify(shown.value))}` : shown.problem}
    </output>
  );
}

function cut(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

type CodeArea = typeof CodeAreaPart;

let loaded: CodeArea | undefined;
let isAsked = false;
const readers = newReaders();

/** Loads the code editor. If that fails, fields stay plain, and entering the next one tries again. */
function loadCodeArea(): void {
  if (isAsked) return;
  isAsked = true;
  import('../../../ui/code/CodeArea.tsx').then(
    ({ CodeArea }) => {
      loaded = CodeArea;
      readers.say();
    },
    () => {
      isAsked = false;
    },
  );
}

function useCodeArea(): CodeArea | undefined {
  return useSyncExternalStore(readers.subscribe, () => loaded);
}

const Aside = createContext<{ aside: ReactNode } | undefined>(undefined);

/** Adds a button next to the input of a field, which reads it with `useAside`. */
export function FieldAside({ aside, children }: { aside: ReactNode; children: ReactNode }) {
  return <Aside value={useMemo(() => ({ aside }), [aside])}>{children}</Aside>;
}

/** Returns a container that puts buttons next to the input. `own`: a button of the field itself. */
export function useAside(own?: ReactNode): { inputContainer?: (input: ReactNode) => ReactNode } {
  const place = useContext(Aside);
  if (place === undefined && own === undefined) return {};
  return {
    // The same elements with and without a button, so that the input keeps its state and focus.
    inputContainer: (input) => (
      <Group gap={4} wrap="nowrap" align="start" className="editor-beside">
        <div>{input}</div>
        {own}
        {place?.aside}
      </Group>
    ),
  };
}

const PAUSE_MS = 150;

/** Evaluates a value with the engine's own evaluator; undefined until the result is known. */
export function useEvaluated(value: Json | undefined, scope: string | undefined): Evaluated | undefined {
  const asked = value === undefined ? undefined : JSON.stringify(value);
  const [answer, setAnswer] = useState<Evaluated>();
  useEffect(() => {
    if (asked === undefined || scope === undefined) return setAnswer(undefined);
    let isOver = false;
    const timer = setTimeout(async () => {
      const evaluated = await RULES.ask({ ask: 'evaluate', value: JSON.parse(asked) as Json, scope }).catch(() => ({
        problem: EDITOR.input.timeout,
      }));
      if (!isOver) setAnswer(evaluated);
    }, PAUSE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [asked, scope]);
  return answer;
}
