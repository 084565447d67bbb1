import { EditorView } from '@codemirror/view';

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
export const PANELS = EditorView.theme({
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
