import { createTheme, type MantineColorsTuple } from '@mantine/core';
import { WORDS } from '../ui/words/words.ts';

/** Light to dark. The eighth shade has a contrast of 4.5 : 1 against white. */
const PERDURE: MantineColorsTuple = [
  '#e6f6f7',
  '#d0eaec',
  '#a1d5d9',
  '#6dbfc5',
  '#45acb4',
  '#2ba0a9',
  '#17808a',
  '#12636b',
  '#0f545b',
  '#08444a',
];

const NAMED_CLOSE = { closeButtonProps: { 'aria-label': WORDS.close } };

/** A `header` in a dialog would be a second banner landmark of the page. */
const NO_BANNER = { component: 'div' };

/** Menus open inside the page's landmark, outside of scrolling boxes that would cut them off. */
const IN_PAGE = { portalProps: { target: '#page' } };

export const THEME = createTheme({
  colors: { perdure: PERDURE },
  primaryColor: 'perdure',
  primaryShade: { light: 7, dark: 7 },
  autoContrast: true,
  defaultRadius: 'md',
  respectReducedMotion: true,
  cursorType: 'pointer',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", "Liberation Mono", Menlo, monospace',
  components: {
    // A stray click would lose what the person typed. Dialogs without input override this.
    Modal: { defaultProps: { ...NAMED_CLOSE, closeOnClickOutside: false } },
    ModalHeader: { defaultProps: NO_BANNER },
    DrawerHeader: { defaultProps: NO_BANNER },
    Drawer: { defaultProps: NAMED_CLOSE },
    Notification: { defaultProps: NAMED_CLOSE },
    // Omits the field's label, by which programs find the field.
    PasswordInput: { defaultProps: { visibilityToggleButtonProps: { 'aria-label': WORDS.showTyped } } },
    Popover: { defaultProps: IN_PAGE },
    // A menu may contain only its entries.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    MenuDivider: { defaultProps: { role: 'separator' } },
    // Rendered next to its field: options outside of a dialog are hidden from screen readers.
    Combobox: { defaultProps: { withinPortal: false } },
  },
});
