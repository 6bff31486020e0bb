// Filters the problems by a text; without scripts, all of them are shown.
(() => {
  const section = document.getElementById('problems');
  const filter = section?.querySelector('.filter');
  if (!filter) return;
  const input = filter.querySelector('input');
  const lines = [...section.querySelectorAll('tbody tr, .problem')];
  filter.hidden = false;
  input.addEventListener('input', () => {
    const wanted = input.value.toLowerCase();
    for (const line of lines) line.hidden = !line.textContent.toLowerCase().includes(wanted);
    const shown = lines.filter((line) => line.matches('tr:not([hidden])')).length;
    filter.querySelector('output').textContent = wanted && `${shown} lines`;
  });
})();
