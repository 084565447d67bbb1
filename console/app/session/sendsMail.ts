/** Whether this deployment sends e-mail. The server writes it into the page: the login page cannot call the API. */
export const SENDS_MAIL = document.querySelector<HTMLMetaElement>('meta[name="sends-mail"]')?.content !== 'no';
