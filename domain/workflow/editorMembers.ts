/**
 * What React Flow itself adds to the nodes and edges that it draws. A graph may be sent back as the editor holds it:
 * these are dropped, and are no part of a definition. Members that mean something here stand in definition.ts.
 */
const BOTH = [
  'ariaLabel',
  'ariaRole',
  'className',
  'data',
  'deletable',
  'domAttributes',
  'focusable',
  'hidden',
  'selectable',
  'selected',
  'style',
  'zIndex',
];

export const NODE_EDITOR_MEMBERS: ReadonlySet<string> = new Set([
  ...BOTH,
  'connectable',
  'dragHandle',
  'draggable',
  'dragging',
  'expandParent',
  'extent',
  'handles',
  'height',
  'initialHeight',
  'initialWidth',
  'internals',
  'measured',
  'origin',
  'positionAbsolute',
  'resizing',
  'sourcePosition',
  'targetPosition',
  'width',
]);

export const EDGE_EDITOR_MEMBERS: ReadonlySet<string> = new Set([
  ...BOTH,
  'animated',
  'interactionWidth',
  'label',
  'labelBgBorderRadius',
  'labelBgPadding',
  'labelBgStyle',
  'labelShowBg',
  'labelStyle',
  'markerEnd',
  'markerStart',
  'pathOptions',
  'reconnectable',
  'type',
]);
