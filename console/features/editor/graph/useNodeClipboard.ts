import { useCallback, useEffect, useRef } from 'react';
import { loadYaml } from '../model/codeText.ts';
import { type Clip, clipIn } from '../model/copies.ts';

interface NodeClipboard {
  /** What is chosen; undefined where nothing is. */
  clip: () => Clip | undefined;
  paste: ((clip: Clip) => void) | undefined;
  remove: () => void;
  /** The clipboard holds no nodes. */
  onNothing: () => void;
  /** The browser does not let a button read it. */
  onClosed: () => void;
}

type Yaml = Awaited<ReturnType<typeof loadYaml>>;

/**
 * Copies, cuts and pastes nodes where no text is being written or chosen. They are YAML, so that people can read them and
 * send them. Answers what a button for pasting does.
 */
export function useNodeClipboard(given: NodeClipboard): () => Promise<void> {
  const now = useRef(given);
  now.current = given;
  const yaml = useRef<Yaml>(undefined);
  useEffect(() => {
    // A clipboard takes its text in the same moment: the library has to be there before.
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
    // Absent on pages that came by plain http; refused where the person says so.
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

/** As people write a definition. JSON, which is YAML too, until the library is there. */
export function clipText(yaml: Yaml | undefined, clip: Clip): string {
  return yaml === undefined
    ? `${JSON.stringify(clip, null, 2)}\n`
    : yaml.stringify(clip, { lineWidth: 120, aliasDuplicateObjects: false });
}

function readYaml(yaml: Yaml, text: string): unknown {
  const document = yaml.parseDocument(text);
  return document.errors.length > 0 ? undefined : (document.toJS({ maxAliasCount: 100 }) as unknown);
}

/** The next copy is JSON; pasting loads it once more and says what fails. */
function ignored(): void {}

function isOfText(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(TEXTS) !== null;
}

const TEXTS = 'input, textarea, select, [contenteditable="true"], [role="dialog"], .cm-editor';
