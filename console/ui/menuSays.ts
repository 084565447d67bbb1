/** Of an entry of a menu that only says something, or cannot be chosen now: it may have the focus, since it may be all that there is. */
export const SAYS = { 'aria-disabled': true, closeMenuOnClick: false, c: 'dimmed' } as const;
