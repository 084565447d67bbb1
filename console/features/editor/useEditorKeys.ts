import { useEffect, useRef } from 'react';
import { areLettersOn, usePageKeys } from '../../ui/keys/pageKeys.ts';
import { EDITOR } from './words.ts';

/** Actions of the editor's keys. Keys without Ctrl or Cmd work only outside text fields. */
interface EditorKeys {
  save: () => void;
  run: () => void;
  undo: () => void;
  redo: () => void;
  duplicate: () => void;
  remove: () => void;
  add: () => void;
  find: () => void;
  tidy: () => void;
  switchView: () => void;
  nextProblem: () => void;
}

type Act = keyof EditorKeys | 'test';

const LIST = EDITOR.keyList.map(([key, does]) => ({ key, does }));

export function useEditorKeys(keys: EditorKeys): void {
  usePageKeys(LIST);
  const now = useRef(keys);
  now.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const act = event.defaultPrevented ? undefined : actOf(event);
      if (act === undefined) return;
      event.preventDefault();
      if (act === 'test') toNodeTest();
      else now.current[act]();
    };
    // Before the fields for code, which would insert a line.
    const onRunKey = (event: KeyboardEvent) => {
      if (actOf(event) !== 'run') return;
      event.preventDefault();
      event.stopPropagation();
      now.current.run();
    };
    addEventListener('keydown', onKey);
    addEventListener('keydown', onRunKey, true);
    return () => {
      removeEventListener('keydown', onKey);
      removeEventListener('keydown', onRunKey, true);
    };
  }, []);
}

const PLAIN: Record<string, Act> = {
  a: 'add',
  f: 'find',
  l: 'tidy',
  v: 'switchView',
  t: 'test',
  Delete: 'remove',
  Backspace: 'remove',
};

const COMMANDS: Record<string, Act> = { z: 'undo', 'shift z': 'redo', y: 'redo', d: 'duplicate' };

function actOf(event: KeyboardEvent): Act | undefined {
  const { key, shiftKey, altKey, target } = event;
  const isCommand = event.ctrlKey || event.metaKey;
  const isIn = (places: string) => target instanceof Element && target.closest(places) !== null;
  if (key === 'F8') return 'nextProblem';
  if (isCommand && !altKey && key.toLowerCase() === 's') return 'save';
  if (isCommand && !altKey && key === 'Enter') return isIn('[role="dialog"]') ? undefined : 'run';
  // Dialogs have their own keys, and fields their own undo.
  if (isIn(WRITTEN)) return undefined;
  if (isCommand && !altKey) return COMMANDS[`${shiftKey ? 'shift ' : ''}${key.toLowerCase()}`];
  return altKey || (key.length === 1 && !areLettersOn()) ? undefined : PLAIN[key];
}

const WRITTEN = 'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"]';

/** Opens the test of the selected node and focuses its button; does nothing if no node is selected. */
function toNodeTest(): void {
  const test = document.querySelector<HTMLDetailsElement>('.editor-form details[data-test]');
  if (test === null) return;
  test.open = true;
  const at = test.querySelector<HTMLElement>('button') ?? test.querySelector<HTMLElement>('summary');
  at?.scrollIntoView({ block: 'nearest' });
  at?.focus();
}
