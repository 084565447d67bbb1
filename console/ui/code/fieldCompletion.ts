import { autocompletion, type CompletionResult, type Completion as Option } from '@codemirror/autocomplete';
import type { EditorState, Extension } from '@codemirror/state';

/** Something that may be written at a place of a text. */
export interface Completion {
  label: string;
  /** What is put in place of what was typed, where it is not the label. */
  apply?: string;
  detail?: string;
  kind: 'variable' | 'property' | 'function';
  /** Options of one section stand below its name. Absent: before all sections. */
  section?: string;
}

export interface Completions {
  /** Where what they replace begins. */
  from: number;
  /** What is chosen takes the place of all that stands in the field. */
  replacesAll?: boolean;
  options: Completion[];
}

/** `isAsked`: somebody wants to see what there is, and does not just write. */
export type Complete = (text: string, position: number, isAsked: boolean) => Completions | undefined;

/** What is typed of a name while its list stands. */
const TYPED = /^[A-Za-z0-9_]*$/;

export function completingField(complete: Complete): Extension {
  return autocompletion({
    icons: false,
    // Enter has no other use in a field.
    interactionDelay: 0,
    override: [
      ({ state, pos, explicit }) => {
        const found = complete(state.doc.toString(), pos, explicit);
        if (found === undefined) return null;
        // What is known may have become more while one types.
        const again = (now: EditorState) => complete(now.doc.toString(), found.from, explicit);
        const result = listed(found, state.sliceDoc(found.from, pos), again);
        return result.options.length === 0 ? null : result;
      },
    ],
  });
}

/** Our own choice of options: the library's finds letters that are strewn over a path, and knows no names of sections. */
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
      // Where nothing fits it is an empty list: without one all would be listed once more, behind what was typed.
      return TYPED.test(now) ? listed(again(state) ?? found, now, again) : null;
    },
  };
}

/** Those that begin with the text, that have a part which begins so, that hold it, and those under a name with such a word. */
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

/** In the order given, that of sections the one of their first options. */
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
      // Brackets take the place of the dot before them.
      const begin = replacesAll ? 0 : apply.startsWith('[') ? from - 1 : from;
      const end = replacesAll ? view.state.doc.length : to;
      view.dispatch({ changes: { from: begin, to: end, insert: apply }, selection: { anchor: begin + apply.length } });
    },
  };
}
