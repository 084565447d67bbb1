export const PARTS = { unread: 'A part of this page could not be read' };
