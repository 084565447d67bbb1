/**
 * Props of a menu entry that only informs or cannot be chosen now. It stays focusable, because it may be the only
 * entry.
 */
export const SAYS = { 'aria-disabled': true, closeMenuOnClick: false, c: 'dimmed' } as const;
