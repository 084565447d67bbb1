/** Of parts of a page that have no words of their own. */
export const PARTS = { unread: 'A part of this page could not be read' };
