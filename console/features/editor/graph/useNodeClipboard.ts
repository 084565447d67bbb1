import { useCallback, useEffect, useRef } from 'react';
import { type Clip, clipIn } from '../model/copies.ts';
import { loadYaml } from '../model/loadYaml.ts';

interface NodeClipboard {
  clip: () => Clip | undefined;
  paste: ((clip: Clip) => void) | undefined;
  remove: () => void;
  onNothing: () => void;
  onClosed: () => void;
}

type Yaml = Awaited<ReturnType<typeof loadYaml>>;

/** Copies, cuts and pastes nodes as YAML, unless a text is edited or selected. Returns the paste button's action. */
export function useNodeClipboard(given: NodeClipboard): () => Promise<void> {
  const now = useRef(given);
  now.current = given;
  const yaml = useRef<Yaml>(undefined);
  useEffect(() => {
    // A copy event needs its text synchronously, so the library must be loaded before.
    const load = () => void loadYaml().then((loaded) => (yaml.current = loaded), ignored);
    const copy = (event: ClipboardEvent) => {
      if (isOfText(event.target) || getSelection()?.isCollapsed === false) return;
      const clip = now.current.clip();
      if (clip === undefined) return;
      event.preventDefault();
      event.clipboardData?.setData('text/plain', clipText(yaml.current, clip));
      if (event.type === 'cut') now.current.remove();
    };
    const paste = async (event: ClipboardEvent) => {
      const { paste: take } = now.current;
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (take === undefined || isOfText(event.target) || text === '') return;
      event.preventDefault();
      await pasteText(text, now.current);
    };
    const onPaste = (event: ClipboardEvent) => void paste(event);
    addEventListener('focusin', load, { once: true });
    addEventListener('copy', copy);
    addEventListener('cut', copy);
    addEventListener('paste', onPaste);
    return () => {
      removeEventListener('focusin', load);
      removeEventListener('copy', copy);
      removeEventListener('cut', copy);
      removeEventListener('paste', onPaste);
    };
  }, []);
  return useCallback(async () => {
    // Absent on pages served over plain HTTP; rejects if the user denies access.
    const clipboard = navigator.clipboard as Partial<Clipboard> | undefined;
    const text = await clipboard?.readText?.().catch(() => undefined);
    if (text === undefined) now.current.onClosed();
    else await pasteText(text, now.current);
  }, []);
}

async function pasteText(text: string, { paste, onNothing }: NodeClipboard): Promise<void> {
  const clip = clipIn(await loadYaml().then((loaded) => readYaml(loaded, text)));
  if (clip === undefined) onNothing();
  else paste?.(clip);
}

/** Writes YAML, or JSON, which is also YAML, until the library is loaded. */
export function clipText(yaml: Yaml | undefined, clip: Clip): string {
  return yaml === undefined
    ? `${JSON.stringify(clip, null, 2)}\n`
    : yaml.stringify(clip, { lineWidth: 120, aliasDuplicateObjects: false });
}

function readYaml(yaml: Yaml, text: string): unknown {
  const document = yaml.parseDocument(text);
  return document.errors.length > 0 ? undefined : (document.toJS({ maxAliasCount: 100 }) as unknown);
}

/** The next copy is JSON. Pasting loads the library again and reports failures. */
function ignored(): void {}

function isOfText(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(TEXTS) !== null;
}

const TEXTS = 'input, textarea, select, [contenteditable="true"], [role="dialog"], .cm-editor';
