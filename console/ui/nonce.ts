import { setNonce } from 'get-nonce';

/** The nonce of this page. Without it, the content security policy refuses the `<style>` elements of libraries. */
export const NONCE = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

// For react-remove-scroll, which Mantine's dialogs use.
setNonce(NONCE);
