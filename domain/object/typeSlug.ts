export const TYPE_SLUG = /^[a-z0-9][a-z0-9_-]{0,63}$/i;
