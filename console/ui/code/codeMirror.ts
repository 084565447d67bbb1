import { closeBrackets, closeBracketsKeymap, completionKeymap, insertBracket } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorState, type Extension, type TransactionSpec } from '@codemirror/state';
import { Decoration, EditorView, keymap, MatchDecorator, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { basicSetup } from 'codemirror';
import { NONCE } from '../nonce.ts';

export type CodeLanguage = 'json' | 'yaml' | 'text';

/** Colours of the theme, readable in light and dark mode. */
const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--ink-run)' },
  { tag: [tags.string, tags.content], color: 'var(--ink-good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--ink-wait)' },
  { tag: tags.comment, color: 'var(--ink-neutral)' },
  { tag: [tags.keyword, tags.operatorKeyword, tags.self], color: 'var(--ink-wait)', fontWeight: '600' },
  { tag: [tags.regexp, tags.special(tags.string)], color: 'var(--ink-good)' },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: 'var(--ink-ask)' },
]);

const LOOK = EditorView.theme({
  '&': {
    fontSize: 'var(--mantine-font-size-sm)',
    border: '1px solid var(--mantine-color-default-border)',
    borderRadius: 'var(--mantine-radius-md)',
    backgroundColor: 'var(--mantine-color-body)',
    color: 'var(--mantine-color-text)',
    // Not `hidden`: in a long text the search panel must stay in the window.
    overflow: 'clip',
  },
  '&.cm-focused': { outline: '2px solid var(--mantine-primary-color-filled)' },
  '.cm-content': { fontFamily: 'var(--mantine-font-family-monospace)', caretColor: 'var(--mantine-color-text)' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-gutters': {
    backgroundColor: 'var(--mantine-color-default-hover)',
    color: 'var(--ink-neutral)',
    border: 'none',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--mantine-primary-color-filled) 30%, transparent) !important',
  },
  '.cm-collapsedLines': { background: 'var(--mantine-color-default-hover)', color: 'var(--ink-neutral)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--mantine-color-body)',
    border: '1px solid var(--mantine-color-default-border)',
    color: 'var(--mantine-color-text)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { maxHeight: '18em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'color-mix(in srgb, var(--mantine-primary-color-filled) 30%, transparent)',
    color: 'var(--mantine-color-text)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > completion-section': {
    borderBottom: 'none',
    paddingTop: '0.5em',
    fontFamily: 'var(--mantine-font-family)',
    fontWeight: 600,
    opacity: 1,
  },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--ink-bad)' },
});

const languages: Record<CodeLanguage, () => Extension> = { json, yaml, text: () => [] };

const EXPRESSIONS = new MatchDecorator({
  regexp: /\{\{[\s\S]*?\}\}/g,
  decoration: Decoration.mark({ class: 'code-expression' }),
});

const expressionMarks = ViewPlugin.define(
  (view) => ({
    marks: EXPRESSIONS.createDeco(view),
    update(change: ViewUpdate) {
      this.marks = EXPRESSIONS.updateDeco(change, this.marks);
    },
  }),
  { decorations: ({ marks }) => marks },
);

/** Replaces the selection by a typed character, with the closing bracket that typing adds without a selection. */
function withClosed(state: EditorState, data: string): TransactionSpec {
  const emptied = state.update(state.replaceSelection(''));
  const closed = insertBracket(emptied.state, data);
  if (closed === null) return state.replaceSelection(data);
  const { changes, newSelection, effects } = closed;
  return { changes: emptied.changes.compose(changes), selection: newSelection, effects };
}

/** Chrome would copy the style of a replaced selection inline, which the page's content security policy forbids. */
const replacing = (written: (state: EditorState, data: string) => TransactionSpec) =>
  EditorView.domEventHandlers({
    beforeinput(event, view) {
      const { data, inputType } = event;
      const { selection, readOnly } = view.state;
      if (inputType !== 'insertText' || !data || selection.main.empty || readOnly || view.composing) return false;
      event.preventDefault();
      view.dispatch({ ...written(view.state, data), userEvent: 'input.type', scrollIntoView: true });
      return true;
    },
  });

/** Extensions of a form field for texts with expressions: no line numbers, as high as its text. */
export function fieldExtensions(label: string, isReadOnly: boolean): Extension[] {
  return [
    history(),
    closeBrackets(),
    replacing(withClosed),
    keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap]),
    expressionMarks,
    LOOK,
    EditorView.lineWrapping,
    EditorView.cspNonce.of(NONCE),
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    EditorState.readOnly.of(isReadOnly),
    ...(isReadOnly ? [EditorView.editorAttributes.of({ class: 'code-shown' })] : []),
  ];
}

export function codeExtensions(language: CodeLanguage, label: string, isReadOnly: boolean): Extension[] {
  return [
    basicSetup,
    replacing((state, data) => state.replaceSelection(data)),
    languages[language](),
    syntaxHighlighting(COLOURS),
    LOOK,
    PANELS,
    EditorView.lineWrapping,
    EditorView.cspNonce.of(NONCE),
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    EditorState.readOnly.of(isReadOnly),
  ];
}

const FOCUS = { outline: '2px solid var(--mantine-primary-color-filled)', outlineOffset: '1px' };
const EDGE = '1px solid var(--mantine-color-default-border)';
const FIELD = {
  minHeight: '1.75rem',
  padding: '0.2rem 0.5rem',
  fontFamily: 'var(--mantine-font-family)',
  fontSize: 'var(--mantine-font-size-sm)',
  color: 'inherit',
  border: EDGE,
  borderRadius: 'var(--mantine-radius-sm)',
};
const BUTTON = { backgroundImage: 'none', backgroundColor: 'var(--mantine-color-default)' };

/** Styles the library's panels (search, replace, go to line) with the theme. Its own styles support light mode only. */
const PANELS = EditorView.theme({
  '.cm-panels': { backgroundColor: 'var(--mantine-color-body)', color: 'var(--mantine-color-text)' },
  '.cm-panels.cm-panels-bottom': { borderTop: EDGE },
  '.cm-panels.cm-panels-top': { borderBottom: EDGE },
  '.cm-panel.cm-search, .cm-panel.cm-dialog': { padding: '0.4rem 2.25rem 0.4rem 0.5rem' },
  '.cm-panel .cm-textfield': { ...FIELD, backgroundColor: 'var(--mantine-color-default)' },
  '.cm-panel .cm-button': { ...FIELD, ...BUTTON, cursor: 'pointer' },
  '.cm-panel .cm-button:active': BUTTON,
  '.cm-panel .cm-button:hover': { backgroundColor: 'var(--mantine-color-default-hover)' },
  '.cm-panel.cm-search label, .cm-panel.cm-dialog label': {
    display: 'inline-block',
    minHeight: '1.5rem',
    fontSize: 'var(--mantine-font-size-sm)',
  },
  '.cm-panel.cm-search [name=close], .cm-panel .cm-dialog-close': {
    top: '0.4rem',
    right: '0.4rem',
    width: '1.75rem',
    height: '1.75rem',
    fontSize: '1.25rem',
    color: 'inherit',
    cursor: 'pointer',
    borderRadius: 'var(--mantine-radius-sm)',
  },
  '.cm-panel :is(button, input):focus-visible': FOCUS,
  '.cm-searchMatch': { backgroundColor: 'var(--ground-ask)' },
  '.cm-searchMatch.cm-searchMatch-selected': {
    backgroundColor: 'var(--ground-ask)',
    outline: '2px solid var(--ink-ask)',
  },
  '.cm-selectionMatch': { backgroundColor: 'var(--ground-neutral)' },
});
