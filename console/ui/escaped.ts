/** Escapes a text as a value of `filterBy`: trims it, and writes commas, which separate pairs, as `%2C`. */
export const escaped = (text: string) => text.trim().replaceAll(',', '%2C');
