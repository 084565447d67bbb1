/** Data type of a dragged palette entry; the data is its key. */
export const DRAGGED = 'application/x-perdure-action';
