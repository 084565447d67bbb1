/** The type of what a palette entry carries while it is dragged: its key. */
export const DRAGGED = 'application/x-perdure-action';
