// Before anything is drawn: the page begins light or dark, as the person chose or the system says.
(() => {
  const chosen = localStorage.getItem('mantine-color-scheme-value') ?? 'auto';
  const isDark = chosen === 'dark' || (chosen === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
})();
