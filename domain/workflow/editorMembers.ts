/**
 * Members that React Flow adds to nodes and edges. An editor may send its graph back unchanged: these members are
 * dropped and are not part of a definition. definition.ts has the members with a meaning here.
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
