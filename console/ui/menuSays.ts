/** An entry that only informs or cannot be chosen now. It is focusable, because it may be the only one. */
export const SAYS = { 'aria-disabled': true, closeMenuOnClick: false, c: 'dimmed' } as const;
