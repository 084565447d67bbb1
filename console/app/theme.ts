import { createTheme, type MantineColorsTuple } from '@mantine/core';
import { WORDS } from '../ui/words/words.ts';

/** From light to dark; the eighth has 4.5 : 1 against white. */
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

/** Of a dialog: a `header` would be a second banner of the page. */
const NO_BANNER = { component: 'div' };

/** Where menus stand: in the page's landmark, and in no box that scrolls and would cut them off. */
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
    // A slip of the mouse would lose what was typed there; a dialog that only shows something says otherwise.
    Modal: { defaultProps: { ...NAMED_CLOSE, closeOnClickOutside: false } },
    ModalHeader: { defaultProps: NO_BANNER },
    DrawerHeader: { defaultProps: NO_BANNER },
    Drawer: { defaultProps: NAMED_CLOSE },
    Notification: { defaultProps: NAMED_CLOSE },
    // Without the label of its field, by which programs find that.
    PasswordInput: { defaultProps: { visibilityToggleButtonProps: { 'aria-label': WORDS.showTyped } } },
    Popover: { defaultProps: IN_PAGE },
    // A menu may hold nothing but its entries.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    MenuDivider: { defaultProps: { role: 'separator' } },
    // Beside its field: choices outside of a dialog are hidden from those who hear it.
    Combobox: { defaultProps: { withinPortal: false } },
  },
});
