/** Whether this deployment sends e-mail; the server writes it into the page, since those who log in may ask for nothing yet. */
export const SENDS_MAIL = document.querySelector<HTMLMetaElement>('meta[name="sends-mail"]')?.content !== 'no';
