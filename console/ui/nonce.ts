import { setNonce } from 'get-nonce';

/** The nonce of this page: without it the policy refuses the `<style>` elements that libraries make. */
export const NONCE = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

// For react-remove-scroll, which Mantine's dialogs use.
setNonce(NONCE);
