import { createTheme, type MantineColorsTuple } from '@mantine/core';

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

const NAMED_CLOSE = { closeButtonProps: { 'aria-label': 'Close' } };

/** The header of a dialog is none of the page: one page has one banner. */
const NO_BANNER = { attributes: { header: { role: 'presentation' } } };

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
    Modal: { defaultProps: { ...NAMED_CLOSE, ...NO_BANNER } },
    Drawer: { defaultProps: { ...NAMED_CLOSE, ...NO_BANNER } },
    Notification: { defaultProps: NAMED_CLOSE },
  },
});
