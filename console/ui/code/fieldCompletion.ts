import { autocompletion, type CompletionResult, type Completion as Option } from '@codemirror/autocomplete';
import type { EditorState, Extension } from '@codemirror/state';

export interface Completion {
  label: string;
  /** The text to insert, if it is not the label. */
  apply?: string;
  detail?: string;
  kind: 'variable' | 'property' | 'function';
  /** The heading of the option. Options without one come first. */
  section?: string;
}

export interface Completions {
  from: number;
  /** The chosen option replaces the whole text of the field. */
  replacesAll?: boolean;
  options: Completion[];
}

/** `isAsked`: the person opened the list explicitly, and did not only type. */
export type Complete = (text: string, position: number, isAsked: boolean) => Completions | undefined;

/** A partial name, which filters the open list. */
const TYPED = /^[A-Za-z0-9_]*$/;

export function completingField(complete: Complete): Extension {
  return autocompletion({
    icons: false,
    // Accepts Enter immediately: it has no other use in a field.
    interactionDelay: 0,
    override: [
      ({ state, pos, explicit }) => {
        const found = complete(state.doc.toString(), pos, explicit);
        if (found === undefined) return null;
        // More data may have arrived while the person typed.
        const again = (now: EditorState) => complete(now.doc.toString(), found.from, explicit);
        const result = listed(found, state.sliceDoc(found.from, pos), again);
        return result.options.length === 0 ? null : result;
      },
    ],
  });
}

/** Filters options itself: the library matches scattered letters of a path and ignores section names. */
function listed(
  found: Completions,
  typed: string,
  again: (now: EditorState) => Completions | undefined,
): CompletionResult {
  const options = fitting(found.options, typed);
  return {
    from: found.from,
    options: inSections(options, found.replacesAll === true),
    filter: false,
    getMatch: ({ label }) => {
      const at = label.toLowerCase().indexOf(typed.toLowerCase());
      return typed === '' || at === -1 ? [] : [at, at + typed.length];
    },
    update(_, from, to, { state }) {
      const now = state.sliceDoc(from, to);
      // An empty list: with null, the library would list all options again behind the typed text.
      return TYPED.test(now) ? listed(again(state) ?? found, now, again) : null;
    },
  };
}

/**
 * In order: options that begin with the text, have a part that does, contain it, or are in a section with such a word.
 */
export function fitting(options: readonly Completion[], typed: string): Completion[] {
  if (typed === '') return [...options];
  const asked = typed.toLowerCase();
  const rank = ({ label, section = '' }: Completion) => {
    const at = label.toLowerCase().indexOf(asked);
    if (at === 0) return 0;
    if (at > 0) return /[.["]/.test(label.charAt(at - 1)) ? 1 : 2;
    return ` ${section.toLowerCase()}`.includes(` ${asked}`) ? 3 : undefined;
  };
  const ranks = new Map(options.map((option) => [option, rank(option)]));
  return options
    .filter((option) => ranks.get(option) !== undefined)
    .sort((a, b) => (ranks.get(a) as number) - (ranks.get(b) as number));
}

/** Keeps the given order; sections are in the order of their first options. */
function inSections(options: readonly Completion[], replacesAll: boolean): Option[] {
  const ranks = new Map<string, number>();
  return options.map(({ section, ...completion }) => {
    const option = asOption(completion, replacesAll);
    if (section === undefined) return option;
    const rank = ranks.get(section) ?? ranks.size;
    ranks.set(section, rank);
    return { ...option, section: { name: section, rank } };
  });
}

function asOption({ label, apply, detail, kind }: Completion, replacesAll: boolean): Option {
  const option = { label, type: kind, ...(detail === undefined ? {} : { detail }) };
  if (apply === undefined) return option;
  return {
    ...option,
    apply(view, _, from, to) {
      // Brackets replace the dot before them.
      const begin = replacesAll ? 0 : apply.startsWith('[') ? from - 1 : from;
      const end = replacesAll ? view.state.doc.length : to;
      view.dispatch({ changes: { from: begin, to: end, insert: apply }, selection: { anchor: begin + apply.length } });
    },
  };
}
