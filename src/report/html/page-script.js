// Filters the problems by a text; without scripts, all of them are shown.
(() => {
  const section = document.getElementById('problems');
  const filter = section?.querySelector('.filter');
  if (!filter) return;
  const input = filter.querySelector('input');
  const problems = [...section.querySelectorAll('.problem')];
  filter.hidden = false;
  input.addEventListener('input', () => {
    const wanted = input.value.toLowerCase();
    for (const one of problems) one.hidden = !one.textContent.toLowerCase().includes(wanted);
    const shown = problems.filter((one) => !one.hidden).length;
    const none = `No problem here has “${input.value}”. Clear the filter to see all.`;
    filter.querySelector('output').textContent =
      wanted && (shown === 0 ? none : `${shown} of ${problems.length}`);
  });
})();
