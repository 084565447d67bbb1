/** A text as a value of `filterBy`: without the spaces around it, and with `%2C` for what would end its pair. */
export const escaped = (text: string) => text.trim().replaceAll(',', '%2C');
